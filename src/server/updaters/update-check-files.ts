import { canonicalPlatform } from '../../shared/aliases.ts'
import { signatureFault } from '../../shared/artifacts/tauri-signature.ts'
import { isInstalledByTauri } from '../../shared/artifacts/unoffered.ts'
import { KNOWN_KINDS } from '../../shared/names.ts'
import type { Artifact } from '../../shared/release.ts'
import { findArtifact, indexArtifacts, kindsFor } from '../decision/artifacts.ts'
import { nameOfFile } from './files.ts'

/**
 * Returns the files that the update check answers with on a canonical platform and arch, first the one for a device that does
 * not name the bundle that it was installed from.
 */
export function updateCheckFiles(
  artifacts: readonly Artifact[],
  platform: string,
  arch: string,
): Artifact[] {
  const index = indexArtifacts(artifacts)
  const bundles = ['', ...kindsFor(index, platform, arch), ...KNOWN_KINDS]
  const found = bundles.flatMap((bundle) => findArtifact(index, platform, arch, bundle) ?? [])
  return [...new Set(found)]
}

/** Returns why Tauri's plugin does not install a file that the update check answers with; null if it does. */
export function tauriFault(
  artifact: Artifact,
): 'not_installed' | 'unsigned' | 'signature_form' | null {
  const { platform, signature } = artifact
  if (!isInstalledByTauri(canonicalPlatform(platform), nameOfFile(artifact))) return 'not_installed'
  if (signature === '') return 'unsigned'
  return signatureFault(signature) === undefined ? null : 'signature_form'
}
