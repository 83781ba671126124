"""Programs for each rule, in a module of its name: FOUND, with `# <-` at the lines that are found, and SILENT."""
