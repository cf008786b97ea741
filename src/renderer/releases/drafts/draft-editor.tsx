import { Group, Stack, Text } from '@mantine/core'
import { IconRefreshAlert } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { ShownDraft } from '../../../shared/console/releases/drafts.ts'
import { server } from '../../bridge/clients.ts'
import { Notice, SmallButton } from '../../components/blocks.tsx'
import { draftInForm } from '../publish/draft.ts'
import { PublishForm } from '../publish/publish-form.tsx'
import { draftText as text } from './strings.ts'

interface Props {
  /** As it is stored now. */
  readonly current: ShownDraft
}

/** What the form shows, and the revisions that it has shown before: no draft goes back to one of them. */
interface Shown {
  readonly opened: ShownDraft
  readonly earlier: readonly string[]
}

/**
 * The form of a draft. It follows what others change as long as nothing is typed; after that it says that the draft
 * has changed, and loads it when told.
 */
export function DraftEditor({ current }: Props) {
  const [{ opened, earlier }, setShown] = useState<Shown>({ opened: current, earlier: [] })
  const open = (next: ShownDraft) =>
    setShown((shown) => ({ opened: next, earlier: [...shown.earlier, shown.opened.revision] }))
  const apps = useQuery(server.apps.names.queryOptions())
  const [isEdited, setEdited] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // Until a draft that was saved here is loaded again, `current` is older than what is open.
  const isNew = opened.revision !== current.revision && !earlier.includes(current.revision)
  // What is being sent changes it as well.
  const isOutdated = isNew && !isBusy
  useEffect(() => {
    if (isOutdated && !isEdited) open(current)
  })
  const initial = useMemo(() => draftInForm(opened.draft), [opened])
  const load = () => {
    setEdited(false)
    open(current)
  }
  return (
    <Stack gap="md">
      {isOutdated && isEdited && (
        <Notice icon={IconRefreshAlert} title={text.changedTitle}>
          <Group justify="space-between" wrap="nowrap" align="start">
            <Text size="sm">{text.changedHint}</Text>
            <SmallButton onClick={load}>{text.load}</SmallButton>
          </Group>
        </Notice>
      )}
      <PublishForm
        key={earlier.length}
        apps={apps.data ?? []}
        initial={initial}
        stored={opened}
        onEdited={setEdited}
        onBusy={setBusy}
        onSaved={(saved) => {
          setEdited(false)
          setBusy(false)
          open(saved)
        }}
      />
    </Stack>
  )
}
