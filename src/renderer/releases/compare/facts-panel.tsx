import { Table } from '@mantine/core'
import { type Icon, IconEqual, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ComparedRelease } from '../../../shared/console/releases/releases.ts'
import { formatPercent } from '../../../shared/wording/format.ts'
import { Panel } from '../../components/blocks.tsx'
import { DeviceCount } from '../../components/release/device-count.tsx'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { type Tone, Toned, When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import type { ReleasePair } from '../detail.ts'
import type { ChangeKind } from './changes.ts'
import classes from './compare.module.css'
import { KIND_WORDS, text } from './strings.ts'

interface Fact {
  readonly name: string
  readonly show: (one: ComparedRelease) => ReactNode
  /** The value to compare. Left out where it differs between any two releases. */
  readonly compared?: (one: ComparedRelease) => unknown
}

const FACTS: readonly Fact[] = [
  {
    name: text.channel,
    show: ({ release }) => release.channel,
    compared: ({ release }) => release.channel,
  },
  {
    name: text.status,
    show: ({ release }) => <StatusBadge status={release.status} />,
    compared: ({ release }) => release.status,
  },
  {
    name: text.rollout,
    show: ({ release }) => formatPercent(release.rolloutPct),
    compared: ({ release }) => release.rolloutPct,
  },
  {
    name: text.offered,
    show: ({ release }) => (release.offered ? text.yes : text.notYet),
    compared: ({ release }) => release.offered,
  },
  { name: text.published, show: ({ release }) => <When at={release.createdAt} /> },
  {
    name: text.devices,
    show: ({ release: { app, channel, version }, devices }) => (
      <DeviceCount count={devices} of={{ app, channel, version }} />
    ),
  },
]

/** Shows side by side how two releases are served. */
export function FactsPanel({ from, to }: ReleasePair) {
  return (
    <Panel title={text.release} flush>
      <Table layout="fixed" className={classes.table ?? ''} aria-label={text.release}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={128}>{text.change}</Table.Th>
            <Table.Th w={176}>{text.detail}</Table.Th>
            <ReleaseHead of={from} />
            <ReleaseHead of={to} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {FACTS.map(({ name, show, compared }) => (
            <Table.Tr key={name}>
              <Table.Td>
                {compared && (
                  <ChangeMark kind={compared(from) === compared(to) ? 'same' : 'changed'} />
                )}
              </Table.Td>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className={classes.text}>{show(from)}</Table.Td>
              <Table.Td className={classes.text}>{show(to)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function ReleaseHead({ of: { release } }: { readonly of: ComparedRelease }) {
  return (
    <Table.Th>
      <Link to={paths.release(release)} className={classes.release}>
        <VersionBadge app={release.app} version={release.version} />
      </Link>
    </Table.Th>
  )
}

const LOOKS: Readonly<Record<ChangeKind, { readonly tone: Tone; readonly Icon: Icon }>> = {
  added: { tone: 'good', Icon: IconPlus },
  removed: { tone: 'bad', Icon: IconMinus },
  changed: { tone: 'warn', Icon: IconPencil },
  same: { tone: 'quiet', Icon: IconEqual },
}

/** Says by an icon and a word whether something was added, removed, changed or left as it was. */
export function ChangeMark({ kind }: { readonly kind: ChangeKind }) {
  const { tone, Icon } = LOOKS[kind]
  return (
    <Toned tone={tone} icon={Icon} gap={6} className={classes.mark}>
      {KIND_WORDS[kind]}
    </Toned>
  )
}
