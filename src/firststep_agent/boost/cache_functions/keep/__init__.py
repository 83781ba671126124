"""What is written: graphs, captures, builds and results in the form that another process can use, and the files they lie in."""
