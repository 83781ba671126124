"""How values of each kind are taken apart: (head, children, filter kind), as `expand` says."""
