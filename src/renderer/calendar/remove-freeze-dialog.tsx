import type { Freeze } from '../../shared/freeze.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { useLast } from '../components/dialog/dialog.tsx'
import { formatTime } from '../components/text/time.ts'
import { noonOf } from './days.ts'
import { text } from './strings.ts'

/** A freeze, and all of its app as they were seen. */
export interface SeenFreeze {
  readonly app: string
  readonly freeze: Freeze
  readonly seen: readonly Freeze[]
}

interface Props {
  /** The dialog is closed without one. */
  readonly asked: SeenFreeze | undefined
  readonly onClose: () => void
}

/** Asks once before a freeze is removed. */
export function RemoveFreezeDialog({ asked, onClose }: Props) {
  const shown = useLast(asked)
  const app = shown?.app ?? ''
  const change = useChange(serverClient.apps.setFreezes.mutate, {
    done: () => text.removed(app),
    failed: () => text.notRemoved(app),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={asked !== undefined}
      title={text.removeTitle(app)}
      action={text.removeFreeze}
      change={change}
      onConfirm={() => {
        if (shown === undefined) return
        const { freeze, seen } = shown
        change.send({ app, freezes: seen.filter((each) => each !== freeze), seen: [...seen] })
      }}
      onClose={onClose}
    >
      {shown && text.removeEffect(shown.freeze.name || text.unnamed, daysInWords(shown.freeze))}
    </ConfirmDialog>
  )
}

function daysInWords({ firstDay, lastDay }: Freeze): string {
  const [first, last] = [firstDay, lastDay].map((day) => formatTime(noonOf(day), 'date'))
  return first === last ? `${first}` : text.range(`${first}`, `${last}`)
}
