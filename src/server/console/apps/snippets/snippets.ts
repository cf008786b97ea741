import type { z } from 'zod'
import type { ConnectSnippets } from '../../../../shared/console/apps.ts'
import { autoUpdaterSnippet, builderConfiguration, electronUpdaterSnippet } from './electron.ts'
import { otherSnippet } from './other.ts'
import { publishSnippet, trySnippet } from './scripts.ts'
import { SPARKLE_SWIFT, sparkleConfiguration } from './sparkle.ts'
import { TAURI_JAVASCRIPT, TAURI_RUST, tauriConfiguration } from './tauri.ts'
import { velopackSnippet } from './velopack.ts'

type Snippet = z.output<typeof ConnectSnippets>['snippets'][number]

/**
 * Returns the code that connects an app to the server at `address`. docs/connect.md shows the same code
 * for `https://updates.example.com`; a test compares them.
 */
export function snippetsFor(
  address: string,
  place: { readonly app: string; readonly channel: string },
): Snippet[] {
  const under = (path: string) => `${address}/${path}/${place.app}/${place.channel}`
  const base = under('u')
  const electron = under('electron')
  const appcast = `${under('sparkle')}/appcast.xml`
  return [
    { address, id: 'tauri_configuration', text: tauriConfiguration(base) },
    { address, id: 'tauri_javascript', text: TAURI_JAVASCRIPT },
    { address, id: 'tauri_rust', text: TAURI_RUST },
    { address, id: 'electron_configuration', text: builderConfiguration(electron) },
    { address, id: 'electron_updater', text: electronUpdaterSnippet(electron) },
    { address, id: 'electron_squirrel', text: autoUpdaterSnippet(under('squirrel')) },
    { address, id: 'sparkle_configuration', text: sparkleConfiguration(appcast) },
    { address, id: 'sparkle_swift', text: SPARKLE_SWIFT },
    { address, id: 'velopack', text: velopackSnippet(under('velopack'), place.app) },
    { address, id: 'other', text: otherSnippet(base) },
    { address, id: 'publish', text: publishSnippet(address, place) },
    { address, id: 'try', text: trySnippet(base) },
  ]
}
