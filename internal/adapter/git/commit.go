package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kerf/internal/finding"
)

// Commit is the digest, 40 or 64 hexadecimal digits, of the commit that ref
// names: a branch, a tag, a digest, HEAD~2, @{upstream}. An unknown one is an
// error with the name that was likely meant; where the clone is shallow it is
// ErrShallow with the command that mends it.
func (r *Repository) Commit(ctx context.Context, ref string) (string, error) {
	if ref == "" || strings.HasPrefix(ref, "-") || strings.ContainsFunc(ref, func(c rune) bool { return c < ' ' || c == ':' || c == 0x7f }) {
		return "", fmt.Errorf("%q names no commit: expected a branch, a tag, a digest or such as HEAD~1", ref)
	}
	sha, err := r.resolve(ctx, ref)
	if err != nil || sha != "" {
		return sha, err
	}
	if ref == "HEAD" {
		return "", errors.New("HEAD has no commit yet")
	}
	known, err := r.ask(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("the repository has no commit %s", ref)
	if guess := finding.DidYouMean(ref, strings.Split(strings.TrimSpace(known), "\n")); guess != "" {
		return "", fmt.Errorf("%s: %s", text, guess)
	}
	if shallow, err := r.shallow(ctx); shallow || err != nil {
		return "", errors.Join(err, fmt.Errorf("%s: %w; %s", text, ErrShallow, deepen))
	}
	if branch, remote := strings.CutPrefix(ref, "origin/"); remote {
		text += fmt.Sprintf("; git fetch origin %s:refs/remotes/%s brings it, where the remote has it", branch, ref)
	}
	return "", errors.New(text)
}

const deepen = "git fetch --unshallow brings the rest (in CI: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab)"

// resolve is the commit of ref, "" where there is none.
func (r *Repository) resolve(ctx context.Context, ref string) (string, error) {
	out, err := r.ask(ctx, "rev-parse", "--verify", ref+"^{commit}")
	var refused *failure
	switch sha := strings.TrimSuffix(out, "\n"); {
	case errors.As(err, &refused) && strings.Contains(refused.said, "is ambiguous"):
		return "", fmt.Errorf("%s: the digest fits several objects: write more digits", ref)
	case errors.As(err, &refused):
		return "", nil
	case err != nil:
		return "", err
	case !isDigest(sha): // "^HEAD"
		return "", nil
	default:
		return sha, nil
	}
}

func isDigest(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

func (r *Repository) shallow(ctx context.Context) (bool, error) {
	out, err := r.ask(ctx, "rev-parse", "--is-shallow-repository")
	return out == "true\n", err
}

// Base is where the change in the work tree started: the merge base of HEAD and
// ref, the branch it is to go into. In a pull request of GitHub that is
// origin/$GITHUB_BASE_REF; in a merge request of GitLab
// $CI_MERGE_REQUEST_TARGET_BRANCH_SHA (set where HEAD is the merged result),
// else $CI_MERGE_REQUEST_DIFF_BASE_SHA, else
// origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME; elsewhere the first that exists of
// origin/HEAD, origin/main, origin/master, main, master. On that branch itself
// the base is HEAD. ref is what was asked for, to be printed.
func (r *Repository) Base(ctx context.Context, getenv func(string) string) (ref, sha string, err error) {
	target, why := "", ""
	for _, v := range []struct{ name, prefix string }{
		{"GITHUB_BASE_REF", "origin/"},
		{"CI_MERGE_REQUEST_TARGET_BRANCH_SHA", ""},
		{"CI_MERGE_REQUEST_DIFF_BASE_SHA", ""},
		{"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "origin/"},
	} {
		if value := getenv(v.name); value != "" {
			ref, why = v.prefix+value, " (from "+v.name+")"
			target, err = r.Commit(ctx, ref)
			break
		}
	}
	if ref == "" {
		for _, ref = range []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"} {
			if target, err = r.resolve(ctx, ref); target != "" || err != nil {
				break
			}
		}
		if err == nil && target == "" {
			err = errors.New("no branch to compare with: none of origin/HEAD, origin/main, origin/master, main, master exists; name one with --against")
		}
	}
	if err != nil {
		return "", "", fmt.Errorf("%w%s", err, why)
	}
	head, err := r.Commit(ctx, "HEAD")
	if err != nil {
		return "", "", err
	}
	out, err := r.ask(ctx, "merge-base", head, target)
	if refused := (*failure)(nil); errors.As(err, &refused) && refused.code == 1 {
		err = fmt.Errorf("HEAD and %s%s have no common ancestor", ref, why)
		if shallow, e := r.shallow(ctx); shallow || e != nil {
			err = errors.Join(e, fmt.Errorf("%w here: %w; %s", err, ErrShallow, deepen))
		}
	}
	return ref, strings.TrimSuffix(out, "\n"), err
}
