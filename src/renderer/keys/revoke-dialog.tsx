import type { KeyItem } from '../../shared/key.ts'
import { serverClient } from '../bridge/clients.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useChange } from '../components/use-change.ts'
import { useLast } from '../components/use-last.ts'
import { When } from '../components/when.tsx'

interface Props {
  /** The key in question; the dialog is closed without. */
  readonly item: KeyItem | undefined
  readonly onClose: () => void
}

/** Revokes a key, for good. */
export function RevokeDialog({ item, onClose }: Props) {
  const shown = useLast(item)
  const revoke = useChange(serverClient.keys.revoke.mutate, {
    done: (key) => `Key ${key.name} was revoked.`,
    failed: () => 'The key was not revoked',
    onDone: onClose,
  })
  if (shown === undefined) return null
  return (
    <ConfirmDialog
      opened={item !== undefined}
      onClose={onClose}
      title={`Revoke key ${shown.name}`}
      action="Revoke key"
      change={revoke}
      onConfirm={() => revoke.send({ prefix: shown.prefix })}
    >
      Whatever uses this key will be refused from now on. Last used:{' '}
      <When at={shown.lastUsedAt} empty="never" />. A revoked key cannot be restored.
    </ConfirmDialog>
  )
}
