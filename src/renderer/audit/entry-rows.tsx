import { Table, Text } from '@mantine/core'
import {
  type Icon,
  IconChevronDown,
  IconChevronRight,
  IconDeviceDesktop,
  IconKey,
  IconServer2,
  IconTerminal2,
  IconUser,
} from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { showInvisible } from '../../shared/basics/visible.ts'
import type { AppName } from '../../shared/console/apps.ts'
import type { ActorKind } from '../../shared/events/audit.ts'
import { IconButton } from '../components/blocks.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { Quiet, Small, TextLink, Toned, When } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { entryInWords } from './entry-strings.ts'
import { changesOf } from './field-diff.ts'
import { text } from './strings.ts'

interface Props {
  readonly entry: AuditEntry
  readonly apps: readonly AppName[]
}

/** One entry as a row, and below it, on demand, what it changed. */
export function EntryRows({ entry, apps }: Props) {
  const [opened, setOpened] = useState(false)
  const id = useId()
  const words = entryInWords(entry)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <>
      <Table.Tr>
        <Table.Td className={classes.toggle}>
          <IconButton
            icon={Chevron}
            aria-expanded={opened}
            aria-controls={opened ? id : undefined}
            aria-label={text.detailsOf(words)}
            onClick={() => setOpened(!opened)}
          />
        </Table.Td>
        <Table.Td className={classes.when}>
          <When at={entry.at} />
        </Table.Td>
        <Table.Td className="wraps">{words}</Table.Td>
        <Table.Td>
          <Subject entry={entry} apps={apps} />
        </Table.Td>
        <Table.Td>
          <Source actor={entry.actor} />
        </Table.Td>
      </Table.Tr>
      {opened && (
        <Table.Tr id={id} className={classes.opened}>
          <Table.Td />
          <Table.Td colSpan={4}>
            <ChangeTable entry={entry} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

const ICONS: Readonly<Record<ActorKind, Icon>> = {
  console: IconDeviceDesktop,
  command_line: IconTerminal2,
  key: IconKey,
  person: IconUser,
  server: IconServer2,
}

/** Who made a change, and by which way it came. */
function Source({ actor }: Pick<AuditEntry, 'actor'>) {
  const { kind, name, via } = actor
  return (
    <>
      <Text size="sm" className="cut">
        {showInvisible(name)}
      </Text>
      <Small>
        <Toned icon={ICONS[via ?? kind]}>{text.cameBy(actor)}</Toned>
      </Small>
    </>
  )
}

interface SubjectProps {
  readonly entry: AuditEntry
  /** The apps that there are now: what was removed has no page to lead to. */
  readonly apps: readonly AppName[]
}

/** What a change was about, as a link where that is still there. */
function Subject({ entry: { app, channel, version }, apps }: SubjectProps) {
  if (app === null) {
    return <Quiet span>{text.server}</Quiet>
  }
  const known = apps.find(({ ref }) => ref === app)
  const place = channel === null ? app : `${app}/${channel}`
  if (channel === null || version === null) {
    return known === undefined ? place : <AppLink app={app} place={place} />
  }
  const served = known?.channels.includes(channel) ?? false
  return (
    <>
      {served ? (
        <Link
          className={classes.version}
          to={paths.release({ app, channel, version })}
          aria-label={text.release(version, place)}
        >
          <VersionBadge app={app} version={version} />
        </Link>
      ) : (
        <VersionBadge app={app} version={version} />
      )}
      <Small className="cut">{place}</Small>
    </>
  )
}

function AppLink({ app, place }: { readonly app: string; readonly place: string }) {
  return <TextLink to={paths.app(app)}>{place}</TextLink>
}

/** What a change changed, part by part. What is new, or gone, has one column of values only. */
function ChangeTable({ entry }: { readonly entry: AuditEntry }) {
  const { before, after } = entry
  const changes = changesOf(before, after)
  const [isNew, isGone] = [isNothing(before), isNothing(after)]
  if (changes.length === 0) {
    return <Quiet>{text.noDetails}</Quiet>
  }
  return (
    <Table
      aria-label={text.changed}
      className={classes.changes}
      withRowBorders={false}
      highlightOnHover={false}
      verticalSpacing={4}
      horizontalSpacing={8}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.part}>{text.field}</Table.Th>
          {!isNew && <Table.Th>{text.before}</Table.Th>}
          {!isGone && <Table.Th>{text.after}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.name}>
            <Table.Th scope="row" className={classes.part}>
              {change.name}
            </Table.Th>
            {!isNew && <Value value={change.before} />}
            {!isGone && <Value value={change.after} />}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Value({ value }: { readonly value: string | undefined }) {
  return <Table.Td className={classes.value}>{value ?? <Quiet span>{text.none}</Quiet>}</Table.Td>
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
