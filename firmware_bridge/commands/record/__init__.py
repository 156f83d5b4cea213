"""`togyz record`: game records read, checked, converted, restored, drawn and merged."""
