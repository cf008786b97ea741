import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { CommandLine } from './command-line.ts'
import { expectOffer } from './device.ts'
import type { Server } from './server.ts'

/** What nobody else may see. */
export interface Secrets {
  readonly pipeline: string
  readonly reader: string
  /** Of a key that is revoked later. */
  readonly former: string
  /** The end of the link that creates the first account. */
  readonly setupToken: string
}

/** Sets up a server with an app, a second channel, keys and two releases. */
export async function install(person: CommandLine, server: Server): Promise<Secrets> {
  const file = join(person.folder, 'data/tidegate.json')
  await person.succeeds('config check', /does not exist/)
  mkdirSync(join(person.folder, 'data'))
  const port = await freePort()
  writeFileSync(file, JSON.stringify({ prot: port }))
  await person.ends(2, 'config check', /did you mean port\?/)
  await person.ends(2, 'serve', /nothing was started/)
  writeFileSync(file, JSON.stringify({ port, logFile: 'tidegate.log', accessLog: true }))
  await person.succeeds('config check', /is valid/)
  const own = new RegExp(`^port +${port} +tidegate.json$`, 'm')
  await person.succeeds('config show', own, /^logFile .*tidegate\.log +tidegate\.json$/m)

  await person.ends(4, 'status', /no server is running/)
  await server.start()
  if (!server.address.endsWith(`:${port}`)) throw new Error(`it listens on ${server.address}`)
  await person.succeeds('status', /is ready to answer update checks/)

  await person.succeeds('app create editor --name Editor')
  await person.succeeds('channel create editor beta')
  await publishHere(person, '1.0.0')
  await publishHere(person, '1.1.0')
  await expectOffer(server.address, 'stable', '1.0.0', '1.1.0', 'laptop')
  const { stdout } = await person.succeeds('person setup-link')
  const setupToken = /#\/link\/([\w-]{20,})/.exec(stdout)?.[1]
  if (setupToken === undefined) throw new Error(`there is no link in: ${stdout}`)
  return {
    pipeline: await mint(
      person,
      'pipeline --app editor --scope read --scope publish --scope serve',
    ),
    reader: await mint(person, 'reader --app editor --scope read'),
    former: await mint(person, 'former'),
    setupToken,
  }
}

/** Makes mistakes after a backup, and undoes them with it. What must not be undone is kept. */
export async function backUpAndRestore(
  person: CommandLine,
  server: Server,
  { former }: Secrets,
): Promise<void> {
  await person.succeeds('backup backup.db', /verified the copy/)
  await person.succeeds('app create edtior')
  await person.succeeds('channel policy editor stable --minimum-supported-version 9.0.0')
  await publishHere(person, '1.2.0')
  await person.succeeds('rollback editor stable 1.1.0')
  await person.succeeds(`key revoke ${former.slice(0, 8)}`)
  await person.ends(1, 'restore backup.db', /stop/i)

  await server.stop()
  await person.ends(4, 'status')
  const kept = [/Kept 1 rollback/, /Kept 1 key revocation/]
  await person.succeeds('restore backup.db', ...kept, /not in the backup/, /editor stable 1\.2\.0/)
  await server.start()
  const { stdout: apps } = await person.succeeds('app list', /^editor /m)
  if (apps.includes('edtior')) throw new Error(`restore kept an app: ${apps}`)
  const { stdout: policy } = await person.succeeds('channel policy editor stable')
  if (policy.includes('9.0.0')) throw new Error(`restore kept a policy: ${policy}`)
  await person.succeeds('release list editor', /1\.1\.0 .*rolled_back/, /1\.0\.0 .*published/)
  await person.succeeds('doctor')
  await expectOffer(server.address, 'stable', '0.9.0', '1.0.0', 'laptop')
}

/** Looks what an upgrade and a service would do; neither changes anything. */
export async function checkUpkeep(person: CommandLine): Promise<void> {
  await person.succeeds('upgrade --check', /^Server +running/m, /up to date/)
  await person.succeeds('service install --print', /tidegate\.cjs/)
}

/** Makes a file for support while the server runs. Throws if one of the secrets is in it. */
export async function makeSupportBundle(person: CommandLine, secrets: Secrets): Promise<void> {
  await person.succeeds('support-bundle --output support.zip', /log\.jsonl/)
  const files = Object.entries(unzipSync(readFileSync(join(person.folder, 'support.zip'))))
  for (const [name, contents] of files) {
    const text = new TextDecoder().decode(contents)
    if (text.trim() === '') throw new Error(`${name} of the support bundle is empty`)
    for (const [whose, secret] of Object.entries(secrets)) {
      if (text.includes(secret)) throw new Error(`${name} of the support bundle has ${whose}`)
    }
  }
}

/** Publishes on the computer of the server, for a file that nobody downloads. */
async function publishHere(person: CommandLine, version: string): Promise<void> {
  const url = `https://downloads.example.com/${version}/editor.bin`
  const artifact = { platform: 'linux', arch: 'x86_64', url, sha512: '0'.repeat(128) }
  writeFileSync(join(person.folder, 'artifacts.json'), JSON.stringify([artifact]))
  await person.succeeds(`publish editor stable ${version} --artifacts-file artifacts.json`)
}

async function mint(person: CommandLine, key: string): Promise<string> {
  const { stdout } = await person.succeeds(`key mint ${key}`)
  const secret = /tg_[\w-]{20,}/.exec(stdout)?.[0]
  if (secret === undefined) throw new Error('key mint shows no key')
  return secret
}

/** Another process can take it before the server does, which then says so. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
