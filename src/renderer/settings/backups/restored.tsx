import { Alert, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { accessGroups } from '../../../shared/wording/restored-access.ts'
import { LackingReleases, LostVersions } from './lost-versions.tsx'
import { NamedList } from './release-list.tsx'
import type { Restoration } from './restore-dialog.tsx'
import { text } from './strings.ts'

interface Props {
  readonly outcome: Restoration
  readonly onClose: () => void
}

/** What a restore did, until it is dismissed. */
export function Restored({ outcome, onClose }: Props) {
  const { aside, offered, carriedOver, access, lost, lacking } = outcome
  return (
    <Alert
      role="status"
      variant="light"
      color="tide"
      icon={<IconCircleCheck aria-hidden="true" />}
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
    </Alert>
  )
}
