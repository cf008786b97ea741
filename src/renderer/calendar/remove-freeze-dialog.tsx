import type { Freeze } from '../../shared/freeze.ts'
import { serverClient } from '../bridge/clients.ts'
import { ChangeDialog } from '../components/dialog/confirm-dialog.tsx'
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
  if (shown === undefined) return null
  const { app, freeze, seen } = shown
  const freezes = seen.filter((each) => each !== freeze)
  return (
    <ChangeDialog
      opened={asked !== undefined}
      title={text.removeTitle(app)}
      action={text.removeFreeze}
      send={() => serverClient.apps.setFreezes.mutate({ app, freezes, seen: [...seen] })}
      done={text.removed(app)}
      failed={text.notRemoved(app)}
      onClose={onClose}
    >
      {text.removeEffect(freeze.name || text.unnamed, daysInWords(freeze))}
    </ChangeDialog>
  )
}

function daysInWords({ firstDay, lastDay }: Freeze): string {
  const [first, last] = [firstDay, lastDay].map((day) => formatTime(noonOf(day), 'date'))
  return first === last ? `${first}` : text.range(`${first}`, `${last}`)
}
