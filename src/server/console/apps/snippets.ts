import type { z } from 'zod'
import type { ConnectSnippets } from '../../../shared/console/apps.ts'

type Snippet = z.output<typeof ConnectSnippets>['snippets'][number]

/** Texts to copy that connect an app to the server at `address`. */
export function snippetsFor(address: string, place: { app: string; channel: string }): Snippet[] {
  const base = `${address}/u/${place.app}/${place.channel}`
  return [
    {
      address,
      title: 'Tauri 2: tauri.conf.json',
      language: 'json',
      text: tauriConfiguration(`${base}/{{target}}/{{arch}}/{{current_version}}`),
    },
    { address, title: 'Tauri 2: check for an update', language: 'javascript', text: TAURI_CHECK },
    {
      address,
      title: 'Try it from a terminal',
      language: 'sh',
      text: `curl -i -H 'X-Service-Device: my-test-device' ${base}/linux/x86_64/0.0.1`,
    },
  ]
}

function tauriConfiguration(endpoint: string): string {
  const updater = {
    pubkey: 'CONTENT OF YOUR PUBLIC KEY FILE',
    endpoints: [endpoint],
    // The updater refuses http in a release build unless it is told that this is meant.
    ...(endpoint.startsWith('http:') ? { dangerousInsecureTransportProtocol: true } : {}),
  }
  const bundle = { createUpdaterArtifacts: true }
  return JSON.stringify({ bundle, plugins: { updater } }, null, 2)
}

const TAURI_CHECK = `import { check } from '@tauri-apps/plugin-updater'

// A random id that stays the same on this device puts it into the same share of every rollout.
const device = localStorage.getItem('update-device') ?? crypto.randomUUID()
localStorage.setItem('update-device', device)

const update = await check({ headers: { 'X-Service-Device': device } })
if (update) await update.downloadAndInstall()
`
