import type { SnippetId } from '../../shared/files/updater.ts'

interface Tab {
  /** A part of element IDs, which contain no spaces. */
  readonly id: string
  readonly name: string
  readonly hints: readonly string[]
  /** Said as well while the address uses HTTP. */
  readonly insecure?: string
  readonly snippets: readonly SnippetId[]
}

const device =
  'Send X-Service-Device with every check. Without it, a device is offered a release only once its rollout is at 100%.'

const blockedOnMac =
  'This address uses HTTP, which App Transport Security blocks on macOS. Use HTTPS.'

export const TABS: readonly Tab[] = [
  {
    id: 'tauri',
    name: 'Tauri',
    hints: [
      device,
      'Rollbacks need allowDowngrades, which version 2.8 and later of the updater plugin support.',
    ],
    insecure:
      'This address uses HTTP, so the configuration allows an insecure connection. Use HTTPS outside a trusted network.',
    snippets: ['tauri_configuration', 'tauri_javascript', 'tauri_rust'],
  },
  {
    id: 'electron-updater',
    name: 'electron-updater',
    hints: [
      'For Electron apps built with electron-builder. electron-updater creates the device ID, keeps it and sends it.',
      'Publish the files that electron-builder creates: the .exe, the .zip for macOS, and the .AppImage, .deb or .rpm.',
      'The query of the feed is also sent to your file server. If file URLs have a query of their own, leave it out.',
    ],
    snippets: ['electron_configuration', 'electron_updater'],
  },
  {
    id: 'electron-forge',
    name: 'Electron Forge',
    hints: [
      "For Electron's own autoUpdater, also without Forge: Squirrel on macOS and Windows, nothing on Linux.",
      'Publish the .zip for macOS, and for Windows the RELEASES file with the -full.nupkg and the -delta.nupkg.',
      'Squirrel.Windows cannot go back to a lower version after a rollback.',
    ],
    insecure: blockedOnMac,
    snippets: ['electron_squirrel'],
  },
  {
    id: 'sparkle',
    name: 'Sparkle',
    hints: [
      'CFBundleVersion of the app must be the version that you publish, or its build number: publish build 260 of 1.4.0 as 1.4.0+260.',
      'Publish the .dmg or .zip with the EdDSA signature that sign_update prints.',
      'Sparkle cannot go back to a lower version after a rollback.',
    ],
    insecure: blockedOnMac,
    snippets: ['sparkle_configuration', 'sparkle_swift'],
  },
  {
    id: 'velopack',
    name: 'Velopack',
    hints: [
      'Publish the releases.win.json that vpk writes with the -full.nupkg and the -delta.nupkg.',
      'In C#, the device ID is in the address. In other languages, Velopack creates and sends one itself.',
    ],
    snippets: ['velopack'],
  },
  { id: 'other', name: 'Other', hints: [device], snippets: ['other', 'try'] },
  {
    id: 'scripts',
    name: 'Scripts',
    hints: [
      'TIDEGATE_KEY is an API key with the scope publish.',
      'Tauri installs only files with a signature: the contents of the .sig file that the build creates next to the installer.',
    ],
    snippets: ['publish'],
  },
]

export const SNIPPET_TITLES: Readonly<Record<SnippetId, string>> = {
  tauri_configuration: 'src-tauri/tauri.conf.json',
  tauri_javascript: 'Check for updates in JavaScript',
  tauri_rust: 'Or in Rust',
  electron_configuration: 'electron-builder.yml',
  electron_updater: 'Main process',
  electron_squirrel: 'Main process',
  sparkle_configuration: 'Info.plist',
  sparkle_swift: 'Updater delegate in Swift',
  velopack: 'Check for updates in C#',
  other: 'Check for updates in Node.js',
  publish: 'Publish a signed build',
  try: 'Check for an update from a terminal',
}
