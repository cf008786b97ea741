import type { PersonDifference, RestoredAccess } from '../../access/restored-access.ts'
import { formatList } from '../format.ts'

/** People or keys that a restore treats alike. */
export interface AccessGroup {
  readonly heading: string
  readonly items: readonly string[]
}

const NO_DATA = 'There is no current data to compare with, so'

const WORDS = {
  removed: 'removed since the backup, stays disabled and cannot sign in',
  added: 'not in the backup, is removed',
  administrator: 'stays an administrator as now, because the backup has no other who can sign in',
  disabled: 'stays disabled',
  roles: 'gets the lower of the roles now and in the backup',
} as const

const AS_NOW = {
  password: 'password',
  second_factor: 'authenticator app',
  recovery_codes: 'recovery codes',
  passkeys: 'passkeys',
  identities: 'single sign-on accounts',
  email: 'email address',
} as const satisfies Readonly<
  Record<Exclude<PersonDifference, keyof typeof WORDS | 'unknown'>, string>
>

/** Returns what a restore does about access, by name, for before and after it; groups without items are left out. */
export function accessGroups({ people, keys }: RestoredAccess): readonly AccessGroup[] {
  const [locked, others] = [[] as string[], [] as string[]]
  for (const { name, differences } of people) {
    if (differences.includes('unknown')) locked.push(name)
    else others.push(`${name}: ${differencesInWords(differences)}`)
  }
  const keysOf = (...kinds: readonly RestoredAccess['keys'][number]['difference'][]) =>
    keys
      .filter(({ difference }) => kinds.includes(difference))
      .map(({ name, prefix }) => `${name} (${prefix}…)`)
  const groups = [
    {
      heading: `${NO_DATA} these accounts are disabled. Enable them in the desktop app, or on the server’s computer with “tidegate person enable <name>”, once you have verified that they may still sign in:`,
      items: locked,
    },
    {
      heading: `${NO_DATA} these API keys are revoked. Create new keys for the scripts that use them:`,
      items: keysOf('unknown'),
    },
    {
      heading: 'These people do not get back access that changed since the backup:',
      items: others,
    },
    {
      heading: 'These API keys were revoked or removed since the backup and stay revoked:',
      items: keysOf('revoked', 'removed'),
    },
    {
      heading:
        'These API keys are not in the backup and stop working. Create new keys for the scripts that use them:',
      items: keysOf('added'),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function differencesInWords(differences: readonly PersonDifference[]): string {
  const asNow = differences.flatMap((one) =>
    one in AS_NOW ? AS_NOW[one as keyof typeof AS_NOW] : [],
  )
  return [
    ...differences.flatMap((one) => (one in WORDS ? WORDS[one as keyof typeof WORDS] : [])),
    ...(asNow.length === 0 ? [] : [`${formatList(asNow)} as now`]),
  ].join('; ')
}
