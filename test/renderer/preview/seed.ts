import { createHash } from 'node:crypto'
import { days } from '../../../src/server/fleet/time.ts'
import { FULL_ACCESS } from '../../../src/server/updates/access.ts'
import type { Principal } from '../../../src/server/updates/principal.ts'
import type { Backend } from './backend.ts'
import { CAME, recordHistory } from './history.ts'

const PRINCIPAL: Principal = {
  actor: { kind: 'console', name: 'preview' },
  access: FULL_ACCESS,
  seesArchived: true,
}
const DEVICES = 480

const NOTES = `## What is new

- Tables can be **sorted by several columns**.
- Opening a large file is about twice as fast.

## Fixed

1. The window remembers on which display it was.
2. \`Ctrl+Shift+T\` opens the tab that was closed last.
`

const LATEST_NOTES = `## What is new

- Tables can be **sorted by several columns**.
- Opening a large file is three times as fast.

## Fixed

1. The window remembers on which display it was.
2. \`Ctrl+Shift+T\` opens the tab that was closed last.
3. The list of recent files has no duplicates.
`

/** The device whose page is looked at. */
export const WANDERER = '6f1ad8f2-93d1-4a57-b0cf-2f3a9c1de407'

const RELEASES = [
  { channel: 'stable', version: '2.0.3', rolloutPct: 100 },
  { channel: 'stable', version: '2.1.0', rolloutPct: 100 },
  { channel: 'stable', version: '2.2.0', rolloutPct: 100 },
  { channel: 'stable', version: '2.3.0', rolloutPct: 25, notes: LATEST_NOTES },
  { channel: 'beta', version: '2.4.0-beta.1', rolloutPct: 100 },
  {
    channel: 'beta',
    version: '2.4.0-beta.2+build.118',
    rolloutPct: 50,
    targets: { matchLabels: { ring: ['internal', 'early'] } },
  },
]

/** Two apps, releases in every state, keys, and a few hundred devices that asked. */
export async function seed({ running, turnBack }: Backend): Promise<void> {
  const { address, updates } = running
  turnBack(days(36))
  await updates.createApp(PRINCIPAL, { ref: 'editor', name: 'Harbour Editor' })
  await updates.createApp(PRINCIPAL, { ref: 'viewer', name: 'Harbour Viewer' })
  await updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  const { secret } = await updates.mintKey(PRINCIPAL, {
    name: 'release machine',
    scopes: ['publish', 'serve', 'read', 'fleet'],
  })
  await updates.mintKey(PRINCIPAL, { name: 'status page', scopes: ['read'], app: 'editor' })
  const old = await updates.mintKey(PRINCIPAL, { name: 'old build server', scopes: ['publish'] })
  await updates.revokeKey(PRINCIPAL, old.key.prefix)
  await invite(running)

  const call = async (path: string, method: string, body: unknown) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const reply = await fetch(address + path, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  }
  for (const release of RELEASES) {
    turnBack(days(CAME[release.version] ?? 0))
    await call('/api/v1/releases', 'POST', {
      app: 'editor',
      notes: NOTES,
      ...release,
      artifacts: [
        artifact(release.version, 'darwin', 'aarch64'),
        artifact(release.version, 'windows', 'x86_64'),
        artifact(release.version, 'linux', 'x86_64'),
      ],
    })
    turnBack(0)
    if (release.version === '2.3.0') {
      await report(call, release.channel, '2.0.3')
      continue
    }
    await report(call, release.channel, release.version)
  }
  await checkFor(address, WANDERER)
  const place = { app: 'editor', channel: 'stable' }
  turnBack(days(15))
  await call('/api/v1/releases', 'PATCH', { ...place, version: '2.1.0', status: 'rolled_back' })
  turnBack(0)
  await recordHistory(running, turnBack)
}

/** A device asks again and again, on one version after the other. */
async function checkFor(address: string, device: string): Promise<void> {
  const runs = ['2.0.3', '2.1.0', ...Array<string>(30).fill('2.2.0')]
  for (const version of runs) {
    const path = `/u/editor/stable/darwin/aarch64/${version}?l.ring=early&l.site=Trieste`
    await fetch(address + path, { headers: { 'x-service-device': device } })
  }
}

async function report(
  call: (path: string, method: string, body: unknown) => Promise<void>,
  channel: string,
  version: string,
): Promise<void> {
  const count = channel === 'beta' ? 24 : version === '2.2.0' ? DEVICES : DEVICES / 8
  const devices = Array.from({ length: count }, (_, index) => ({
    deviceId: `${channel}-${version}-${index}`,
    version,
    platform: ['darwin', 'windows', 'linux'][index % 3],
    arch: index % 3 === 0 ? 'aarch64' : 'x86_64',
    labels: { ring: index % 5 === 0 ? 'early' : 'general' },
  }))
  await call('/api/v1/fleet/decisions', 'POST', { app: 'editor', channel, devices })
}

function artifact(version: string, platform: string, arch: string) {
  const url = `https://downloads.example/${version}/editor-${platform}-${arch}.tar.gz`
  return {
    platform,
    arch,
    url,
    sha512: createHash('sha512').update(url).digest('base64'),
    size: 48_318_022,
  }
}

/** Three people: one for the server, one for an app, and one who may no longer sign in. */
async function invite({ updates, people }: Backend['running']): Promise<void> {
  const apps = [{ app: 'editor', role: 'release_manager' } as const]
  const mia = await updates.invitePerson(PRINCIPAL, {
    ...{ name: 'Mia', access: { server: 'administrator', apps: [] } },
  })
  const caller = {
    address: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  }
  await people.acceptLink(mia.token, { password: 'nine violet otters paddle' }, caller)
  await updates.invitePerson(PRINCIPAL, { name: 'Ben', access: { server: 'viewer', apps } })
  const { person } = await updates.invitePerson(PRINCIPAL, {
    ...{ name: 'Cleo', access: { server: null, apps } },
  })
  await updates.setPersonDisabled(PRINCIPAL, person.account.id, true)
}
