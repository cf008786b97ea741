// @module-tag long

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder } from '../../../support/builders/folders.ts'
import { AWAY, OTHER_PASSWORD } from '../../../support/builders/people.ts'
import { eventually, eventualValue } from '../../../support/eventually.ts'
import {
  cli,
  done,
  refusal,
  serveCli,
  serveWith,
  shown,
  startCli,
} from '../../../support/processes/cli.ts'
import { databaseVariables } from '../../../support/servers/engine.ts'
import { openPeopleElsewhere } from '../../../support/servers/people.ts'

const LINK = /#\/link\/([\w-]{43})\n$/

async function emptyFolder(): Promise<string> {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  return folder
}

test('people are invited, listed, disabled and enabled without a server', async () => {
  const folder = await emptyFolder()
  expect(await done(folder, 'person', 'list')).toBe(
    'No accounts yet. Create the first one with "person setup-link".\n',
  )
  const printed = await done(folder, 'person', 'invite', 'Mia', '--role', 'administrator')
  expect(printed).toContain(
    'No server is running. Add this to the address of the server: /console/#',
  )
  const roles = ['--app-role', 'editor=release_manager', '--console', 'https://a.example/console/']
  const link = await done(folder, 'person', 'invite', 'noah', ...roles)
  expect(link).toMatch(/^https:\/\/a\.example\/console\/#\/link\/[\w-]{43}\n$/)
  expect(await shown(folder, 'person', 'list')).toEqual({
    people: [
      expect.objectContaining({ name: 'Mia', role: 'administrator', status: 'invited' }),
      expect.objectContaining({
        ...{ name: 'noah', role: null, appRoles: [{ app: 'editor', role: 'release_manager' }] },
      }),
    ],
  })
  expect(await done(folder, 'person', 'disable', 'NOAH')).toBe(
    'Disabled account NOAH and ended its sessions.\n',
  )
  expect(await done(folder, 'person', 'list')).toMatch(
    /^NAME {2}ROLE {11}APP ROLES {15}STATUS[^\n]*\nMia {3}administrator {2}- {23}invited[^\n]*\nnoah {2}- {14}editor=release_manager {2}disabled/,
  )
  expect(await done(folder, 'person', 'enable', 'noah')).toBe('Enabled account noah.\n')
})

test('the last administrator, unknown people and wrong roles are refused', async () => {
  const folder = await emptyFolder()
  const invited = await done(folder, 'person', 'invite', 'mia', '--role', 'administrator')
  const people = await openPeopleElsewhere(folder)
  await people.acceptLink(LINK.exec(invited)?.[1] ?? '', { password: OTHER_PASSWORD }, AWAY)
  for (const [args, reason, exitCode] of [
    [['disable', 'mia'], '"mia" is the last administrator of this server', 3],
    [['disable', 'eve'], 'unknown account "eve"; use "person list"', 3],
    [['invite', 'MIA', '--role', 'viewer'], 'an account named "mia" already exists', 3],
    [['invite', 'eve'], 'choose a role with --role or --app-role', 2],
    [['invite', 'eve', '--role', 'owner'], 'viewer, release_manager, administrator', 2],
    [['invite', 'eve', '--app-role', 'editor'], 'must have the form <app>=<role>', 2],
    [['invite', 'eve', '--app-role', 'none=viewer'], 'unknown app "none"', 3],
    [['invite', ' ', '--role', 'viewer'], 'name: must not be empty', 2],
  ] as const) {
    const { code, stderr } = await cli(folder, 'person', ...args)
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(reason)])
  }
})

test('a running server follows: a link works, and sessions end', async () => {
  const folder = await emptyFolder()
  const server = await serveCli(folder)
  const invited = await done(folder, 'person', 'invite', 'mia', '--role', 'administrator')
  expect(invited).toContain(`${server.address}/console/#/link/`)
  const people = await openPeopleElsewhere(folder)
  people.watch()
  const result = await people.acceptLink(
    LINK.exec(invited)?.[1] ?? '',
    { password: OTHER_PASSWORD },
    AWAY,
  )
  if (result.kind !== 'signed_in') throw new Error('a second factor is asked for')
  expect(await done(folder, 'person', 'end-sessions', 'mia')).toBe('Ended 1 session of mia.\n')
  await eventually(() => expect(people.find(result.token)).toBeUndefined())
  expect(await done(folder, 'person', 'reset-password', 'mia')).toMatch(LINK)
  expect(await done(folder, 'person', 'reset-two-factor', 'mia')).toBe(
    'Turned off two-factor authentication of mia.\n',
  )
})

test('a setup link creates the first account of a running server, once', async () => {
  const folder = fileFolder()
  const server = await serveCli(folder)
  expect(server.output.stdout).not.toContain('#/link/')
  const first = await done(folder, 'person', 'setup-link')
  const printed = await done(folder, 'person', 'setup-link')
  expect(printed).toContain(`${server.address}/console/#/link/`)
  const people = await openPeopleElsewhere(folder)
  const tokenIn = (link: string) => LINK.exec(link)?.[1] ?? ''
  expect(people.lookUpLink(tokenIn(first))).toBeUndefined()
  await people.acceptLink(tokenIn(printed), { name: 'mia', password: OTHER_PASSWORD }, AWAY)
  expect(await shown(folder, 'person', 'list')).toEqual({
    people: [expect.objectContaining({ name: 'mia', role: 'administrator', status: 'active' })],
  })
  const { code, stderr } = await cli(folder, 'person', 'setup-link')
  expect([code, stderr]).toEqual([3, expect.stringContaining('already')])
})

test('without a terminal, serve says how the first account is made, and can make it by a file', async () => {
  const folder = fileFolder()
  const server = await serveCli(folder, '--console', 'loopback')
  const lines = await eventualValue(() => /^No account yet.*\n/m.exec(server.output.stdout)?.[0])
  expect(lines).toBe(
    `No account yet. Print the link that creates the first one: tidegate person setup-link --data "${folder}"\n`,
  )
  await server.stop()
  const byScript = { npm_lifecycle_event: 'serve' }
  const copy = await serveWith(byScript, folder, '--console', 'loopback')
  await eventually(() =>
    expect(copy.output.stdout).toContain(': npm run -s tidegate -- person setup-link '),
  )
  await copy.stop()

  const file = join(folder, 'first-password')
  const env = { TIDEGATE_SETUP_NAME: 'mia', TIDEGATE_SETUP_PASSWORD_FILE: file }
  const variables = { ...env, ...(await databaseVariables(folder)) }
  const refused = async () => {
    const args = ['serve', '--data', folder, '--port', '0', '--log-level', 'silent']
    return refusal(await startCli(args, variables).ended)
  }
  expect(await refused()).toContain(`TIDEGATE_SETUP_PASSWORD_FILE: ${file} cannot be read`)
  writeFileSync(file, 'mia\n')
  expect(await refused()).toContain('password')

  writeFileSync(file, `${OTHER_PASSWORD}\n`)
  const made = await serveWith(env, folder)
  expect(made.output.stdout).toContain('Created the first account: mia\n')
  const people = await openPeopleElsewhere(folder)
  await people.signIn({ name: 'mia', password: OTHER_PASSWORD }, AWAY)
  await made.stop()

  // Whoever has signed in changes the password; the file is of no use any more, and can be deleted.
  rmSync(file)
  const again = await serveWith(env, folder, '--console', 'loopback')
  expect((await again.stop()).stdout).not.toMatch(/account/)
  expect(await shown(folder, 'person', 'list')).toMatchObject({ people: [{ name: 'mia' }] })
})
