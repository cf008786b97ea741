import type { SnippetId } from '../../shared/console/apps.ts'

interface Tab {
  readonly name: string
  readonly hints: readonly string[]
  /** Said as well while the address uses HTTP. */
  readonly insecure?: string
  readonly snippets: readonly SnippetId[]
}

const device =
  'Send X-Service-Device with every check. Without it, a device is offered a release only once its rollout is at 100%.'

export const TABS: readonly Tab[] = [
  {
    name: 'Tauri',
    hints: [
      device,
      'Rollbacks need allowDowngrades, which version 2.8 and later of the updater plugin support.',
    ],
    insecure:
      'This address uses HTTP, so the configuration allows an insecure connection. Use HTTPS outside a trusted network.',
    snippets: ['tauri_configuration', 'tauri_javascript', 'tauri_rust'],
  },
  { name: 'Electron', hints: [device], snippets: ['electron'] },
  {
    name: 'Scripts',
    hints: [
      'TIDEGATE_KEY is an API key with the scope publish.',
      'Tauri installs only files with a signature: the contents of the .sig file that the build creates next to the installer.',
    ],
    snippets: ['publish', 'try'],
  },
]

export const SNIPPET_TITLES: Readonly<Record<SnippetId, string>> = {
  tauri_configuration: 'src-tauri/tauri.conf.json',
  tauri_javascript: 'Check for updates in JavaScript',
  tauri_rust: 'Or in Rust',
  electron: 'Main process, with electron-updater',
  publish: 'Publish a signed build',
  try: 'Check for an update from a terminal',
}
