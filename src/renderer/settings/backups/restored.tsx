import { Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { LastRestore } from '../../../shared/console/settings/backups.ts'
import { accessGroups } from '../../../shared/wording/operation/restored-access.ts'
import { Notice } from '../../components/notice.tsx'
import { LackingReleases, LostVersions, NamedList } from './release-list.tsx'
import type { Restoration } from './restore-dialog.tsx'
import { restoreProblemText, text } from './strings.ts'

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
