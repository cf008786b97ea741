import { InvalidArgumentError } from 'commander'
import { ExpectedArtifact } from '../../../shared/draft.ts'
import { issueOf } from '../../../shared/issue.ts'
import { text } from '../strings/draft.ts'

/** Reads the option `--expect`: `windows/x86_64`, or `linux/x86_64/deb` for an artifact of that kind. */
export function readExpected(typed: string): ExpectedArtifact {
  const [platform, arch, kind, ...rest] = typed.split('/')
  if (arch === undefined || rest.length > 0 || kind === '') {
    throw new InvalidArgumentError(text.expectForm)
  }
  const result = ExpectedArtifact.safeParse({ platform, arch, kind })
  if (result.success) return result.data
  const { path, reason } = issueOf(result.error, { platform, arch, kind })
  throw new InvalidArgumentError(text.wrongExpect(path.join('.'), reason))
}
