// Command kerf tells a team whether its chunk boundaries cut away the evidence
// its answers need.
package main

import (
	"context"
	"os"
	"os/signal"

	"kerf/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(cli.Main(ctx, cli.OS()))
}
