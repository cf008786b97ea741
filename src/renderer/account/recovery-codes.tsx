import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { shellClient } from '../bridge/clients.ts'
import { runChange } from '../components/change/announce.ts'
import { Dialog, useLast } from '../components/dialog/dialog.tsx'
import { ShownOnce } from '../components/dialog/shown-once.tsx'
import { text } from './strings.ts'

interface Props {
  /** The dialog is closed without. */
  readonly codes: readonly string[] | undefined
  readonly onClose: () => void
}

/** The one place where recovery codes are ever shown. The screen cannot be left before they were saved. */
export function RecoveryCodesDialog({ codes, onClose }: Props) {
  const shown = useLast(codes)
  return (
    <Dialog
      opened={codes !== undefined}
      onClose={onClose}
      title={text.recovery.title}
      closable={false}
    >
      {shown !== undefined && <Codes codes={shown} onClose={onClose} />}
    </Dialog>
  )
}

function Codes({ codes, onClose }: Props & { readonly codes: readonly string[] }) {
  const list = codes.join('\n')
  return (
    <ShownOnce
      stay={text.recovery.stay}
      once={<Text size="sm">{text.recovery.hint}</Text>}
      label={text.recovery.codes}
      text={list}
      buttons={(onDone) => (
        <>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            onClick={() => void save(`${list}\n`)}
          >
            {text.recovery.download}
          </Button>
          <Button onClick={onDone}>{text.recovery.done}</Button>
        </>
      )}
      onClose={onClose}
    />
  )
}

function save(list: string): Promise<void> {
  const words = { done: undefined, failed: text.recovery.downloadFailed }
  const file = { suggestedName: text.recovery.file, text: list }
  return runChange(() => shellClient.shell.saveFile.mutate(file), words)
}
