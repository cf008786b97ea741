import type { Artifact } from '../../../shared/release.ts'

/** Returns artifacts as they are sent: without an empty kind, which servers before bundle kinds refuse. */
export function sentArtifacts(artifacts: readonly Artifact[]) {
  return artifacts.map(({ kind, ...rest }) => (kind === '' ? rest : { ...rest, kind }))
}
