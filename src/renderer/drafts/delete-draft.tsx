import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Draft } from '../../shared/draft.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { draftText as text } from './strings.ts'

interface Props {
  readonly draft: Draft
  readonly onDeleted: () => void
}

/** Deletes a draft, after a question. */
export function DeleteDraft({ draft, onDeleted }: Props) {
  const { app, channel, version, artifacts } = draft
  const [asks, setAsks] = useState(false)
  const change = useChange(serverClient.drafts.discard.mutate, {
    done: () => text.deleted(version),
    failed: () => text.notDeleted(version),
    onAnswer: onDeleted,
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => setAsks(true)}
      >
        {text.delete}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={text.deleteTitle(version)}
        action={text.delete}
        change={change}
        onConfirm={() => change.send({ app, channel, version })}
        onClose={() => setAsks(false)}
      >
        {text.deleteWarning(artifacts.length)}
      </ConfirmDialog>
    </>
  )
}
