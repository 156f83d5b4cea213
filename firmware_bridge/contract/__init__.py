"""What is promised to strangers: schemas, documents, a page and examples, made from our own code."""
