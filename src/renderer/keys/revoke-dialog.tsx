import type { KeyItem } from '../../shared/key.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { useLast } from '../components/dialog/dialog.tsx'
import { When } from '../components/text/when.tsx'
import { text } from './strings.ts'

interface Props {
  /** The key in question; the dialog is closed without. */
  readonly item: KeyItem | undefined
  readonly onClose: () => void
}

/** Revokes a key, for good. */
export function RevokeDialog({ item, onClose }: Props) {
  const shown = useLast(item)
  const revoke = useChange(serverClient.keys.revoke.mutate, {
    done: (key) => text.revokeDialog.done(key.name),
    failed: ({ prefix }) => text.revokeDialog.failed(prefix),
    onDone: onClose,
  })
  if (shown === undefined) return null
  return (
    <ConfirmDialog
      opened={item !== undefined}
      onClose={onClose}
      title={text.revokeDialog.title(shown.name, shown.prefix)}
      action={text.revokeDialog.action}
      change={revoke}
      onConfirm={() => revoke.send({ prefix: shown.prefix })}
    >
      {text.revokeDialog.effect} {text.revokeDialog.lastUsed}{' '}
      <When at={shown.lastUsedAt} empty={text.revokeDialog.never} />.
    </ConfirmDialog>
  )
}
