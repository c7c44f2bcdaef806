#!/usr/bin/env bash
# Builds the facade in the combinations that its users ask for.
set -u
failed=0
for features in std std,cuda std,autodiff std,cuda,autodiff; do
  if out=$(cargo build -p fused --no-default-features --features "$features" 2>&1); then
    echo "PASS  fused --features $features"
  else
    echo "FAIL  fused --features $features"
    echo "$out" | grep -E "^(error|warning)"
    failed=1
  fi
done
exit $failed
