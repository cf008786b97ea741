import { z } from 'zod'
import { Role } from '../../shared/access/role.ts'
import { formatList } from '../../shared/wording/format.ts'
import { roleName } from '../../shared/wording/refusals/person-refusal.ts'
import { type Words, whenRead } from './entry.ts'

const Person = z.object({ name: z.string() })
const Mailed = z.object({ name: z.string(), email: z.string().nullable() })
const Roles = z.object({
  name: z.string(),
  serverRole: Role.nullable(),
  appRoles: z.array(z.object({ app: z.string(), role: Role })),
})
const Passkey = z.object({ name: z.string(), passkey: z.string() })
const Session = z.object({
  name: z.string(),
  address: z.string(),
  managesPeople: z.literal(true).optional(),
})
const Identity = z.object({ name: z.string(), issuer: z.string() })

/** Sentences about accounts and sessions. */
export const PERSON_WORDS: Readonly<Record<string, Words>> = {
  'person.created': (_, after) =>
    whenRead(Roles, after, (roles) => `Created account ${roles.name}: ${rolesInWords(roles)}.`),
  'person.invited': (_, after) =>
    whenRead(Roles, after, (roles) => `Invited ${roles.name}: ${rolesInWords(roles)}.`),
  'person.invitation_accepted': of((name) => `${name} accepted the invitation.`),
  'person.role_changed': (before, after) =>
    whenRead(Roles, before, (from) =>
      whenRead(Roles, after, (to) => {
        return `Changed the roles of ${to.name} from ${rolesInWords(from)} to ${rolesInWords(to)}.`
      }),
    ),
  'person.email_changed': (_, after) =>
    whenRead(Mailed, after, ({ name, email }) =>
      email === null
        ? `Removed the e-mail address of ${name}.`
        : `Set the e-mail address of ${name} to ${email}.`,
    ),
  'person.disabled': of((name) => `Disabled account ${name}.`),
  'person.enabled': of((name) => `Enabled account ${name}.`),
  'person.removed': (before) => whenRead(Person, before, ({ name }) => `Deleted account ${name}.`),
  'person.reset_link_created': of((name) => `Created a password reset link for ${name}.`),
  'person.password_reset': of((name) => `Reset the password of ${name} by link.`),
  'person.password_changed': of((name) => `Changed the password of ${name}.`),
  'person.totp_enabled': of((name) => `Turned on the authenticator app of ${name}.`),
  'person.totp_disabled': of((name) => `Turned off the authenticator app of ${name}.`),
  'person.recovery_codes_created': of((name) => `Created new recovery codes for ${name}.`),
  'person.recovery_code_used': of((name) => `${name} used a recovery code.`),
  'person.passkey_added': (_, after) =>
    whenRead(Passkey, after, ({ name, passkey }) => `Added passkey ${passkey} of ${name}.`),
  'person.passkey_removed': (before) =>
    whenRead(Passkey, before, ({ name, passkey }) => `Deleted passkey ${passkey} of ${name}.`),
  'person.identity_linked': (_, after) =>
    whenRead(Identity, after, ({ name, issuer }) => `Linked ${name} to ${issuer}.`),
  'person.identity_unlinked': (before) =>
    whenRead(Identity, before, ({ name, issuer }) => `Unlinked ${name} from ${issuer}.`),
  'session.started': (_, after) =>
    whenRead(Session, after, ({ name, address, managesPeople }) =>
      managesPeople
        ? `${name} signed in from ${address}, to manage accounts as well.`
        : `${name} signed in from ${address}.`,
    ),
  'session.ended': (before) =>
    whenRead(Session, before, ({ name, address }) => `Ended the session of ${name} at ${address}.`),
}

function of(words: (name: string) => string): Words {
  return (_, after) => whenRead(Person, after, ({ name }) => words(name))
}

function rolesInWords({ serverRole, appRoles }: z.infer<typeof Roles>): string {
  const server = serverRole === null ? [] : [`${roleName(serverRole)} of this server`]
  const apps = appRoles.map(({ app, role }) => `${roleName(role)} of ${app}`)
  const all = [...server, ...apps]
  return all.length === 0 ? 'no role' : formatList(all)
}
