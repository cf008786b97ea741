import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MailSettings } from '../../../../src/server/outbound/outbox/mail-sender.ts'
import { sendMail } from '../../../../src/server/outbound/outbox/mail-sender.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { makePair } from '../../../support/builders/certificates.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { startCli, startCommand } from '../../../support/processes/cli.ts'
import { publish, setPolicy } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { startMailServer } from '../../../support/servers/mail-server.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { refuseRows, storedColumn, storedRows } from '../../../support/servers/stored.ts'

const settingsFor = (port: number, members: Partial<MailSettings> = {}): MailSettings => {
  return { host: '127.0.0.1', port, tls: 'none', login: null, from: 'tg@example.com', ...members }
}

const send = (settings: MailSettings, signal = new AbortController().signal) => {
  const mail = { id: 'one', to: 'mia@example.com', subject: 'Subject', text: 'Text\n' }
  return sendMail(mail, settings, Date.now, signal)
}

async function certificateFor(host: string) {
  const { certFile: file, keyFile } = await makePair(temporaryFolder(), 'mail', 1, host)
  return { file, cert: readFileSync(file), key: readFileSync(keyFile) }
}

const CONSOLE = { mode: 'loopback', names: ['updates.example.com'], pageFolder: '/none' } as const
const BEHIND_PROXY = {
  console: { ...CONSOLE, names: [...CONSOLE.names] },
  trustProxy: ['loopback'],
}
/** Waits until the server has noted that it sends mail. */
const mailing = (server: TestServer) =>
  eventually(async () => {
    const [since] = await storedColumn(server, 'SELECT mail_since FROM outbox_state')
    expect(since).not.toBeNull()
  })

const VIEWER = { server: 'viewer', apps: [] } as const
const MANAGER = { server: 'release_manager', apps: [] } as const

test('an invitation is mailed with the configured address, and its link is not kept', async () => {
  const smtp = await startMailServer()
  const server = await startWithApp({ ...BEHIND_PROXY, mail: settingsFor(smtp.port) })
  const console = callerOf(server)
  await mailing(server)
  const input = { name: 'mia', access: { ...VIEWER, apps: [] }, email: 'mia@example.com' }
  const { token, mailed, person } = await console.people.invite(input)
  expect({ mailed, email: person.email }).toEqual({ mailed: true, email: 'mia@example.com' })
  const [mail] = await smtp.until(1)
  expect(mail).toMatchObject({ to: ['mia@example.com'], from: 'tg@example.com' })
  expect(mail?.source.replaceAll('=\r\n', '')).toContain(
    `https://updates.example.com/console/#/link/${token}`,
  )
  expect(mail?.source).toContain('Content-Type: text/plain')
  await eventually(async () => {
    const rows = await storedRows(server, 'SELECT state, payload FROM deliveries')
    expect(rows).toEqual([['delivered', '{}']])
  })
})

test('nobody is invited whose mail cannot be queued', async () => {
  const smtp = await startMailServer()
  const server = await startWithApp({ ...BEHIND_PROXY, mail: settingsFor(smtp.port) })
  const console = callerOf(server)
  await mailing(server)
  const accept = await refuseRows(server, 'deliveries')
  const input = { name: 'mia', access: { ...VIEWER, apps: [] }, email: 'mia@example.com' }
  await expect(console.people.invite(input)).rejects.toThrow()
  expect(await console.people.list()).toEqual([])
  await accept()
  expect(await console.people.invite(input)).toMatchObject({ mailed: true })
  await smtp.until(1)
})

test('without a mail server an invitation is not mailed', async () => {
  const server = await startWithApp(BEHIND_PROXY)
  const input = { name: 'mia', access: { ...VIEWER, apps: [] }, email: 'mia@example.com' }
  expect(await callerOf(server).people.invite(input)).toMatchObject({ mailed: false })
})

test('a request for approval is mailed to those who can decide, and the decision to who asked', async () => {
  const smtp = await startMailServer()
  const server = await startWithApp({ mail: settingsFor(smtp.port) })
  const console = callerOf(server)
  await mailing(server)
  const invite = (name: string, access: typeof VIEWER | typeof MANAGER) =>
    console.people.invite({ name, access: { ...access, apps: [] }, email: `${name}@example.com` })
  await invite('viewer', VIEWER)
  await invite('manager', MANAGER)
  await invite('proposer', MANAGER)
  await publish(server, '1.0.0', { rolloutPct: 5 })
  await setPolicy(server, { requireApproval: true })
  const actor = { kind: 'person', name: 'proposer' } as const
  const listed = await console.people.list()
  const personOf = (name: string) => `account:${listed.find((it) => it.name === name)?.id}`
  const proposer = { ...PRINCIPAL, actor, person: personOf('proposer') }
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const change = { kind: 'serving', rolloutPct: 50 } as const
  const comment = 'Crash rate is fine'
  const id = await server.updates.proposeChange(proposer, { ...place, change, comment })
  const [asked] = await smtp.until(1)
  expect(asked?.to).toEqual(['manager@example.com'])
  expect(asked?.source).toContain('Approval requested for 1.0.0')
  expect(asked?.source).toContain(comment)
  const other = { ...PRINCIPAL, person: personOf('manager') }
  await server.updates.declineChangeRequest(other, { id, comment: 'Too early' })
  const [, decided] = await smtp.until(2)
  expect(decided?.to).toEqual(['proposer@example.com'])
  expect(decided?.source).toContain('declined')
})

test('a temporary failure is tried again, a final one is not', async () => {
  let skipped = 0
  const smtp = await startMailServer()
  const clock = () => Date.now() + skipped
  const config = { ...BEHIND_PROXY, mail: settingsFor(smtp.port) }
  const server = await startWithApp(config, undefined, { clock })
  const rows = () => storedRows(server, 'SELECT state, tries FROM deliveries ORDER BY id')
  await mailing(server)
  const invite = (name: string) =>
    callerOf(server).people.invite({
      ...{ name, access: { ...VIEWER, apps: [] }, email: `${name}@example.com` },
    })
  smtp.refuse(451)
  await invite('mia')
  await eventually(async () => expect(await rows()).toEqual([['pending', 1]]))
  smtp.refuse(0)
  skipped = 60_000
  await smtp.until(1)
  smtp.refuse(550)
  await invite('noah')
  await eventually(async () =>
    expect(await rows()).toEqual([
      ['delivered', 2],
      ['failed', 1],
    ]),
  )
})

test('failures of the mail server are told apart', async () => {
  const { cert, key } = await certificateFor('mail.example.com')
  const smtp = await startMailServer({
    ...{ cert, key, authOptional: true },
    onAuth: ({ username, password }, _, callback) =>
      password === 'right' ? callback(null, { user: username }) : callback(new Error('no')),
  })
  const untrusted = await send(settingsFor(smtp.port, { tls: 'starttls' }))
  expect(untrusted).toMatchObject({ delivered: false, attempt: { failure: 'certificate' } })
  const plain = await startMailServer()
  const stripped = await send(settingsFor(plain.port, { tls: 'starttls' }))
  expect(stripped).toMatchObject({ delivered: false, attempt: { failure: 'certificate' } })
  expect(plain.mails).toEqual([])
  const open = await startMailServer({
    ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    onAuth: ({ username, password }, _, callback) =>
      password === 'right' ? callback(null, { user: username }) : callback(new Error('no')),
  })
  const wrong = { user: 'tg', password: 'wrong' }
  const refused = await send(settingsFor(open.port, { login: wrong }))
  expect(refused).toMatchObject({
    delivered: false,
    gone: false,
    attempt: { failure: 'authentication' },
  })
  expect(
    (await send(settingsFor(open.port, { login: { ...wrong, password: 'right' } }))).delivered,
  ).toBe(true)
  expect(open.mails).toMatchObject([{ user: 'tg', isEncrypted: false }])
  expect(await send(settingsFor(1))).toMatchObject({ attempt: { failure: 'unreachable' } })
})

test('mail test sends through STARTTLS with a password from a file, and names what is wrong', async () => {
  const folder = temporaryFolder()
  const { cert, key, file } = await certificateFor('localhost')
  const smtp = await startMailServer({
    ...{ cert, key },
    onAuth: ({ username, password }, _, callback) =>
      password === 'right' ? callback(null, { user: username }) : callback(new Error('no')),
  })
  const password = join(folder, 'password')
  writeFileSync(password, 'right\n')
  const args = [
    ...['mail', 'test', 'mia@example.com', '--data', folder, '--smtp-host', 'localhost'],
    ...['--smtp-port', String(smtp.port), '--smtp-user', 'tg', '--smtp-password-file', password],
    ...['--mail-from', 'tg@example.com'],
  ]
  const trusted = await startCli(args, { NODE_EXTRA_CA_CERTS: file }).ended
  expect(trusted).toMatchObject({ code: 0, stderr: '' })
  expect(trusted.stdout).toContain('accepted the mail to mia@example.com')
  expect(smtp.mails).toMatchObject([{ user: 'tg', isEncrypted: true, to: ['mia@example.com'] }])
  const untrusted = await startCommand(args).ended
  expect(untrusted.code).toBe(1)
  expect(untrusted.stderr).toContain('TLS failed')
  const nothing = await startCommand(['mail', 'test', 'mia@example.com', '--data', folder]).ended
  expect(nothing.stderr).toContain('no mail server is configured')
})
