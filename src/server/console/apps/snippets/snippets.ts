import type { z } from 'zod'
import type { ConnectSnippets } from '../../../../shared/console/apps.ts'
import { electronSnippet } from './electron.ts'
import { publishSnippet, trySnippet } from './scripts.ts'
import { TAURI_JAVASCRIPT, TAURI_RUST, tauriConfiguration } from './tauri.ts'

type Snippet = z.output<typeof ConnectSnippets>['snippets'][number]

/**
 * Returns the code that connects an app to the server at `address`. docs/connect.md shows the same code
 * for `https://updates.example.com`; a test compares them.
 */
export function snippetsFor(
  address: string,
  place: { readonly app: string; readonly channel: string },
): Snippet[] {
  const base = `${address}/u/${place.app}/${place.channel}`
  return [
    { address, id: 'tauri_configuration', text: tauriConfiguration(base) },
    { address, id: 'tauri_javascript', text: TAURI_JAVASCRIPT },
    { address, id: 'tauri_rust', text: TAURI_RUST },
    { address, id: 'electron', text: electronSnippet(base) },
    { address, id: 'publish', text: publishSnippet(address, place) },
    { address, id: 'try', text: trySnippet(base) },
  ]
}
