//! Build scripts see build-dependencies only.
