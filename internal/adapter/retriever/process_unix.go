//go:build unix

package retriever

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// alone puts the process into a group of its own, which is ended as a whole, and
// which an interrupt at the terminal does not reach.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return signalGroup(cmd, syscall.SIGTERM) }
}

// endGroup ends what is left of the group once the process is gone.
func endGroup(cmd *exec.Cmd) { _ = signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, s syscall.Signal) error {
	err := syscall.Kill(-cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
