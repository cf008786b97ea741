import { join } from 'node:path'
import type { DemoFolder } from '../../src/demo/folder.ts'
import { PIPELINE } from '../../src/demo/story/story.ts'
import { DATABASE_FILE } from '../../src/shared/data-folder.ts'

/** What somebody may try while the demo runs, as text for a terminal. */
export function instructions(
  { devices, keys }: DemoFolder,
  { address, dataFolder }: { readonly address: string; readonly dataFolder: string },
): string {
  const place = { app: 'lantern', channel: 'stable', platform: 'darwin', arch: 'aarch64' }
  const device = devices.find(
    ({ version, traits }) =>
      version === '2.0.2' &&
      traits.id !== null &&
      Object.entries(place).every(([key, value]) => Reflect.get(traits, key) === value),
  )
  const id = device?.traits.id ?? 'my-test-device'
  const pipeline = keys.get(PIPELINE) ?? ''
  const ramp = { app: 'lantern', channel: 'stable', version: '2.1.0', rolloutPct: 50 }
  return `
Ask for an update, as one of the devices does:
  curl -i ${address}/u/lantern/stable/darwin/aarch64/2.0.2 -H 'X-Service-Device: ${id}'

Read the release notes that everybody may see:
  curl ${address}/feed/lantern/stable

Lantern 2.1.0 is out for 25 % of its devices. Ramp it up, and watch the fleet follow within a minute:
  curl -X PATCH ${address}/api/v1/releases -H 'Authorization: Bearer ${pipeline}' \\
    -H 'Content-Type: application/json' -d '${JSON.stringify(ramp)}'
  npm run -s tidegate -- fleet summary lantern --data ${dataFolder}

Keys (of this demo alone):
${[...keys].map(([name, secret]) => `  ${name.padEnd(18)}${secret}`).join('\n')}

The database is ${join(dataFolder, DATABASE_FILE)}.
Press Ctrl-C to stop.
`
}
