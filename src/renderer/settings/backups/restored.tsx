import { List, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type {
  LastRestore,
  LostReleases,
  RestoreOutcome,
} from '../../../shared/console/settings/backups.ts'
import { accessGroups } from '../../../shared/wording/operation/restored-access.ts'
import { Notice } from '../../components/blocks.tsx'
import { restoreProblemText, text } from './strings.ts'

/** A completed restore. */
export type Restoration = Extract<RestoreOutcome, { ok: true }>

interface Props {
  readonly outcome: Restoration
  readonly onClose: () => void
}

/** What a restore did, until it is dismissed. */
export function Restored({ outcome, onClose }: Props) {
  const { aside, offered, carriedOver, access, lost, lacking } = outcome
  return (
    <Notice
      icon={IconCircleCheck}
      role="status"
      color="tide"
      title={text.restored}
      withCloseButton
      closeButtonLabel={text.dismiss}
      onClose={onClose}
    >
      <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
        {aside !== null && <span>{text.aside(aside)}</span>}
        {offered > 0 && <span>{text.offeredNow(offered)}</span>}
        <span>{carriedOver === null ? text.nothingWasKept : text.kept(carriedOver)}</span>
        {accessGroups(access).map(({ heading, items }) => (
          <NamedList key={heading} label={heading} items={items} />
        ))}
        <LostVersions lost={lost} />
        <LackingReleases lacking={lacking} />
      </Stack>
    </Notice>
  )
}

/** Under which the browser keeps which restore was dismissed. */
const DISMISSED = 'tidegate.dismissed-restore'

/** How the last restore of the server went, until it is dismissed in this browser. */
export function LastRestoreNotice({ last }: { readonly last: LastRestore }) {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED))
  if (dismissed === last.at) return null
  const dismiss = () => {
    localStorage.setItem(DISMISSED, last.at)
    setDismissed(last.at)
  }
  const { outcome } = last
  if (outcome.ok) return <Restored outcome={outcome} onClose={dismiss} />
  return (
    <Notice
      color="red"
      title={text.notRestored}
      withCloseButton
      closeButtonLabel={text.dismiss}
      onClose={dismiss}
      style={{ overflowWrap: 'anywhere' }}
    >
      {restoreProblemText(outcome.problem)} {text.previousInUse}
    </Notice>
  )
}

/** Versions listed by name; the others are only counted. */
const NAMED = 5

interface ListProps {
  /** What is to be said of them. */
  readonly label: string
  readonly releases: LostReleases
}

/** Lists the latest of some releases; nothing if there are none. */
function ReleaseList({ label, releases }: ListProps) {
  if (releases.count === 0) return null
  const named = releases.newest.slice(0, NAMED)
  const more = releases.count - named.length
  const items = named.map(({ app, channel, version }) => `${app} ${channel} ${version}`)
  return <NamedList label={label} items={more > 0 ? [...items, text.moreVersions(more)] : items} />
}

/** Lists items, each different from the others, below what is to be said of them. */
export function NamedList({ label, items }: { label: string; items: readonly string[] }) {
  return (
    <div>
      {label}
      <List size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
    </div>
  )
}

/** Lists the versions that devices may run but that are not in the backup. */
export function LostVersions({ lost }: { readonly lost: LostReleases }) {
  return <ReleaseList label={text.publishAgain(lost.count)} releases={lost} />
}

/** Lists the releases that lack files which the server should store. */
export function LackingReleases({ lacking }: { readonly lacking: LostReleases }) {
  return <ReleaseList label={text.lacking(lacking.count)} releases={lacking} />
}
