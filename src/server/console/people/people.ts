import { z } from 'zod'
import { MailAddress } from '../../../shared/access/person.ts'
import {
  AccessInput,
  IssuedPersonLink,
  PageAccess,
  PersonId,
  PersonItem,
  SessionItem,
} from '../../../shared/console/people/people.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { statusOf } from '../../people/snapshot.ts'
import type { Person, PersonLink } from '../../use-cases/manage/manage-people.ts'
import { type CommandContext, commandProcedure } from '../command-context.ts'
import { byUseCase, router } from '../trpc.ts'

const About = z.strictObject({ id: PersonId })

export const peopleRoutes = router({
  list: commandProcedure.output(z.array(PersonItem)).query(async ({ ctx }) => {
    const people = await ctx.updates.listPeople(ctx.principal)
    return people.map((person) => describe(ctx, person))
  }),

  sessions: commandProcedure
    .input(About)
    .output(z.array(SessionItem))
    .query(async ({ ctx: { updates, principal }, input: { id } }) => {
      const sessions = await updates.listSessions(principal, id)
      return sessions.map(({ account, expiresAt, ...session }) => session)
    }),

  invite: commandProcedure
    .input(
      z.strictObject({
        name: z.string().max(256),
        access: AccessInput,
        email: MailAddress.nullable().default(null),
      }),
    )
    .output(IssuedPersonLink)
    .mutation(async ({ ctx, input }) =>
      issued(ctx, await ctx.updates.invitePerson(ctx.principal, input)),
    ),

  createLink: commandProcedure
    .input(About)
    .output(IssuedPersonLink)
    .mutation(async ({ ctx, input: { id } }) =>
      issued(ctx, await ctx.updates.createPersonLink(ctx.principal, id)),
    ),

  setAccess: commandProcedure
    .input(z.strictObject({ id: PersonId, access: AccessInput, seen: PageAccess }))
    .output(PersonItem)
    .mutation(async ({ ctx, input: { id, ...roles } }) =>
      describe(ctx, await ctx.updates.setPersonAccess(ctx.principal, id, roles)),
    ),

  setEmail: commandProcedure
    .input(
      z.strictObject({
        id: PersonId,
        email: MailAddress.nullable(),
        seen: z.string().nullable(),
      }),
    )
    .output(PersonItem)
    .mutation(async ({ ctx, input: { id, ...change } }) =>
      describe(ctx, await ctx.updates.setPersonEmail(ctx.principal, id, change)),
    ),

  setDisabled: commandProcedure
    .input(z.strictObject({ id: PersonId, disabled: z.boolean() }))
    .output(PersonItem)
    .mutation(async ({ ctx, input: { id, disabled } }) =>
      describe(ctx, await ctx.updates.setPersonDisabled(ctx.principal, id, disabled)),
    ),

  remove: commandProcedure
    .input(z.strictObject({ id: PersonId, confirmation: z.string() }))
    .output(z.void())
    .mutation(byUseCase('removePerson')),

  endSessions: commandProcedure
    .input(About)
    .output(z.strictObject({ ended: z.int() }))
    .mutation(async ({ ctx: { updates, principal }, input: { id } }) => ({
      ended: await updates.endSessionsOf(principal, id),
    })),

  resetTwoFactor: commandProcedure
    .input(About)
    .output(z.void())
    .mutation(byUseCase('resetTwoFactor')),
})

function issued(
  ctx: CommandContext,
  { token, expiresAt, person, mailed = false }: PersonLink & { readonly mailed?: boolean },
): IssuedPersonLink {
  const kind = person.openLink?.kind ?? 'reset'
  return {
    person: describe(ctx, person),
    kind,
    token,
    expiresAt,
    mailed,
    console: ctx.consoleAddress,
  }
}

function describe(
  { catalog, principal }: CommandContext,
  { account, sessions, openLink }: Person,
): PersonItem {
  const { id, name, email, createdAt, lastSeenAt, secondFactors, passkeys, access } = account
  return {
    ...{ id, name, email, createdAt, lastSeenAt, sessions, openLink, status: statusOf(account) },
    access: { server: access.server, apps: appRoles(catalog.snapshot.apps, access.apps) },
    twoFactor: secondFactors.length > 0,
    passkeys: passkeys.length,
    isSelf: id === principal.accountId,
  }
}

/** Returns the roles in those of the apps that there are any in. */
export function appRoles(
  apps: readonly CatalogApp[],
  roles: ReadonlyMap<number, PageAccess['apps'][number]['role']>,
) {
  return apps.flatMap(({ record: { key, ref } }) => {
    const role = roles.get(key)
    return role === undefined ? [] : [{ app: ref, role }]
  })
}
