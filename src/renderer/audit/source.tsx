import { Text } from '@mantine/core'
import { type Icon, IconDeviceDesktop, IconKey, IconTerminal2 } from '@tabler/icons-react'
import type { ActorKind } from '../../shared/console/audit.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { SOURCE_WORDS } from './strings.ts'

const ICONS: Readonly<Record<ActorKind, Icon>> = {
  console: IconDeviceDesktop,
  command_line: IconTerminal2,
  key: IconKey,
}

/** Who made a change, and by which way it came. */
export function Source({ actor: { kind, name } }: Pick<AuditEntry, 'actor'>) {
  const Glyph = ICONS[kind]
  return (
    <>
      <Text size="sm" className="cut">
        {name}
      </Text>
      <Text size="xs" c="dimmed" className={classes.source}>
        <Glyph size={14} aria-hidden="true" />
        {SOURCE_WORDS[kind]}
      </Text>
    </>
  )
}
