hal::interrupt_mod!(A, B);
