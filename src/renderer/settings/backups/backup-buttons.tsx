import { Button, FileButton, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { isDesktop, shellClient } from '../../bridge/clients.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { announceFailure } from '../../components/change/announce.ts'
import type { ChosenBackup } from './chosen.ts'
import { text } from './strings.ts'

interface Props {
  readonly onChosen: (chosen: ChosenBackup) => void
}

interface ButtonProps extends Props {
  /** Whether the server runs; without, nothing can be uploaded. */
  readonly running: boolean
}

/** Has the person choose a file with a backup: by its path in the desktop app, to be uploaded in a browser. */
export function ChooseButton({ onChosen, running }: ButtonProps) {
  if (isDesktop()) return <ChoosePath onChosen={onChosen} />
  return <ChooseFile onChosen={onChosen} running={running} />
}

function ChoosePath({ onChosen }: Props) {
  const choose = useMutation({
    mutationFn: () => shellClient.shell.chooseFile.mutate({ kind: 'backup' }),
    onSuccess: ({ path }) => path !== null && onChosen({ kind: 'path', path }),
    onError: (error) => announceFailure(text.dialogFailed, error),
  })
  return (
    <PlainButton loading={choose.isPending} onClick={() => choose.mutate()}>
      {text.restoreFile}
    </PlainButton>
  )
}

function ChooseFile({ onChosen, running }: ButtonProps) {
  const reset = useRef<() => void>(null)
  const choose = (file: File | null) => {
    // The same file can be chosen again.
    reset.current?.()
    if (file !== null) onChosen({ kind: 'file', file })
  }
  return (
    <FileButton
      resetRef={reset}
      inputProps={{ 'aria-label': text.restoreFile }}
      disabled={!running}
      onChange={choose}
    >
      {(props) => (
        <PlainButton disabled={!running} {...props}>
          {text.restoreFile}
        </PlainButton>
      )}
    </FileButton>
  )
}

interface BackUpButtonProps {
  readonly disabled: boolean
  readonly loading: boolean
  /** Whether the server stores files, which can be backed up as well. */
  readonly storesFiles: boolean
  readonly onBackUp: (withFiles: boolean) => void
}

/** Makes a backup: of the database, or of the stored files as well. */
export function BackUpButton({ disabled, loading, storesFiles, onBackUp }: BackUpButtonProps) {
  const shared = { variant: 'default', disabled, loading }
  if (!storesFiles) {
    return (
      <Button {...shared} onClick={() => onBackUp(false)}>
        {text.backUpNow}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...shared} rightSection={<IconChevronDown size={16} aria-hidden="true" />}>
          {text.backUpNow}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onBackUp(false)}>{text.databaseOnly}</Menu.Item>
        <Menu.Item onClick={() => onBackUp(true)}>{text.databaseAndFiles}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
