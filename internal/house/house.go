// Package house holds the rules of this source tree as a test: which room may
// use which (imports.txt), and what no room may contain. A room is a package,
// named by its folder.
package house
