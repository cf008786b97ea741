import type { ActorKind } from '../../shared/console/audit.ts'
import type { AuditEntry } from './entry.ts'

/** By which way a change came. */
export const SOURCE_WORDS: Readonly<Record<ActorKind, string>> = {
  console: 'Console',
  command_line: 'Command line',
  key: 'API key',
}

/** Who did it: a key, or an account of this machine. */
export function actorInWords({ kind, name }: AuditEntry['actor']): string {
  switch (kind) {
    case 'key':
      return `API key ${name}`
    case 'command_line':
      return `${name} on the command line`
    case 'console':
      return `${name} in the console`
  }
}
