import { expect, test } from 'vitest'
import { auditOf } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'

test('an e-mail address is set, shown and removed, and the log says so', async () => {
  const { server, console } = await startConsole()
  const { person } = await console.people.invite({
    ...{ name: 'mia', access: { server: 'viewer', apps: [] }, email: 'mia@example.com' },
  })
  expect(person.email).toBe('mia@example.com')
  const { id } = person
  const changed = { id, email: 'm@example.com', seen: 'mia@example.com' }
  expect(await console.people.setEmail(changed)).toMatchObject({ email: 'm@example.com' })
  await console.people.setEmail({ id, email: null, seen: 'm@example.com' })
  expect(await console.people.list()).toMatchObject([{ name: 'mia', email: null }])
  expect(await auditOf(server, 'person.email_changed')).toMatchObject([
    { before: { email: 'mia@example.com' }, after: { name: 'mia', email: 'm@example.com' } },
    { before: { email: 'm@example.com' }, after: { email: null } },
  ])
})

test('an e-mail address that was changed meanwhile is not overwritten', async () => {
  const { server, console } = await startConsole()
  const { person } = await console.people.invite({
    ...{ name: 'mia', access: { server: 'viewer', apps: [] }, email: 'mia@example.com' },
  })
  const { id } = person
  await console.people.setEmail({ id, email: 'm@example.com', seen: 'mia@example.com' })
  const stale = { id, email: 'late@example.com', seen: 'mia@example.com' }
  expect(await failureOf(console.people.setEmail(stale), stale)).toMatchObject({
    message: expect.stringContaining('"mia" was changed to m@example.com in the meantime'),
  })
  expect(await console.people.list()).toMatchObject([{ email: 'm@example.com' }])
  expect(await auditOf(server, 'person.email_changed')).toHaveLength(1)
})

test.each(['mia', 'mia@', 'Mia <mia@example.com>', 'a@b.c\r\nBcc: x@y.z', 'a@b.c, d@e.f'])(
  'refuses %j',
  async (email) => {
    const { console } = await startConsole()
    const input = { name: 'mia', access: { server: 'viewer' as const, apps: [] }, email }
    expect(await failureOf(console.people.invite(input), input)).toMatchObject({ code: 'invalid' })
  },
)
