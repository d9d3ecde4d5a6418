//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// dropPrivileges makes a command run as nobody.
func dropPrivileges(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
