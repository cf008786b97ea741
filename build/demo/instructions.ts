import { join } from 'node:path'
import type { DemoFolder } from '../../src/demo/folder.ts'
import { PIPELINE } from '../../src/demo/story/story.ts'
import { DATABASE_FILE } from '../../src/shared/operation/data-folder.ts'
import { text } from './strings.ts'

/** Returns what to try while the demo runs, as text for a terminal. */
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
  const raised = { app: 'lantern', channel: 'stable', version: '2.1.0', rolloutPct: 50 }
  return `
${text.check}
  curl -i ${address}/u/lantern/stable/darwin/aarch64/2.0.2 -H 'X-Service-Device: ${id}'

${text.feed}
  curl ${address}/feed/lantern/stable

${text.rollout}
  curl -X PATCH ${address}/api/v1/releases -H 'Authorization: Bearer ${pipeline}' \\
    -H 'Content-Type: application/json' -d '${JSON.stringify(raised)}'
  npm run -s tidegate -- fleet summary lantern --data ${dataFolder}

${text.keys}
${[...keys].map(([name, secret]) => `  ${name.padEnd(18)}${secret}`).join('\n')}

${text.database(join(dataFolder, DATABASE_FILE))}
${text.stop}
`
}
