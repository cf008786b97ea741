import { useMutation } from '@tanstack/react-query'
import type { KeyItem } from '../../shared/key.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
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
  const revoke = useMutation(
    server.keys.revoke.mutationOptions({
      onSuccess: async (key) => {
        await queryClient.invalidateQueries()
        announce(`Key ${key.name} was revoked.`)
        onClose()
      },
    }),
  )
  if (shown === undefined) return null
  return (
    <ConfirmDialog
      opened={item !== undefined}
      onClose={onClose}
      title={`Revoke key ${shown.name}`}
      action="Revoke key"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ prefix: shown.prefix })}
    >
      Whatever uses this key will be refused from now on. Last used:{' '}
      <When at={shown.lastUsedAt} empty="never" />. A revoked key cannot be restored.
    </ConfirmDialog>
  )
}
