import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import { type ArtifactWarning, artifactWarnings } from '../../../shared/artifacts/warnings.ts'
import type { PublishBody } from '../../../shared/releases/release.ts'
import { isOdd } from '../../../shared/releases/version-verdict.ts'
import { warningSentence } from '../../../shared/wording/artifacts.ts'
import { oddVersionSentence } from '../../../shared/wording/version-verdict.ts'
import { UsageError } from '../command/errors.ts'
import { report } from '../command/output.ts'
import type { CommandServer } from '../server/calls.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/publish.ts'

/** What is probably a mistake in a release, but can be published. */
export class Warnings {
  readonly #isStrict: boolean
  readonly #kept: string[] = []

  /** `isStrict`: they are errors. */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict
  }

  /** Reports a warning; a strict one is kept for `refuse`. */
  add(sentence: string): void {
    if (this.#isStrict) this.#kept.push(sentence)
    else report(common.warning(sentence))
  }

  /** Adds what the console warns about. Throws `UsageError` for what cannot be meant: nobody reads the output of a pipeline. */
  addOf(rows: readonly ArtifactDraft[], version: string, isUploading: boolean): void {
    for (const warning of artifactWarnings(rows, version, isUploading)) {
      const sentence = warningSentence(warning, version)
      if (isFatal(warning)) throw new UsageError(sentence)
      const advice =
        warning.code === 'arch_assumed' ? ` ${text.nameArch(warning.platform, warning.file)}` : ''
      this.add(`${sentence}${advice}`)
    }
  }

  /** Adds that the version is below others of its channel, or the first pre-release there. Throws what the call does. */
  async addOrder(
    server: CommandServer,
    { app, channel, version }: Pick<PublishBody, 'app' | 'channel' | 'version'>,
  ): Promise<void> {
    const verdict = await server.releases.checkVersion.query({ app, channel, version })
    if (isOdd(verdict)) this.add(oddVersionSentence(verdict))
  }

  /** Throws `UsageError` that names all of them, if there are any and they are errors. */
  refuse(): void {
    if (this.#kept.length > 0) throw new UsageError(text.strictWarnings(this.#kept))
  }
}

const FATAL: ReadonlySet<string> = new Set([
  ...['manifest_version', 'hash_differs', 'package_differs', 'empty_file', 'package_beside'],
])

function isFatal(warning: ArtifactWarning): boolean {
  // Apps that install updates themselves can have signatures of another kind in base64.
  if (warning.code === 'signature_form') {
    return warning.manifest !== '' && warning.fault !== 'not_minisign'
  }
  return FATAL.has(warning.code)
}
