import { Switch, TextInput } from '@mantine/core'
import { FileStorage, type SettingsView } from '../../shared/console/settings.ts'
import { NumberFields } from './number-field.tsx'
import { NUMBERS } from './number-strings.ts'
import { PathField } from './path-field.tsx'
import { readNumbers, sentence, type Typed, typed } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import classes from './settings.module.css'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'

interface Draft {
  readonly isOn: boolean
  readonly folder: string
  readonly publicUrl: string
  readonly numbers: Typed<'hosting'>
}

const toDraft = ({ isOn, folder, publicUrl, ...numbers }: FileStorage): Draft => ({
  isOn,
  folder: folder ?? '',
  publicUrl,
  numbers: typed(numbers),
})
const toInput = ({ numbers, folder, ...rest }: Draft) => ({
  ...rest,
  ...readNumbers(numbers),
  folder: folder.trim() === '' ? null : folder,
})

/** Whether the server stores files for devices, where, and how much of them goes out at the same time. */
export function FileStorageSection({ view }: { readonly view: SettingsView }) {
  const section = useSection({ name: 'files', schema: FileStorage, view, toDraft, toInput })
  const { draft, change, issues } = section
  return (
    <SectionForm title={text.fileStorage} {...section}>
      <Switch
        label={text.storeFiles}
        description={text.storeFilesHint}
        checked={draft.isOn}
        onChange={(event) => change({ isOn: event.currentTarget.checked })}
      />
      {draft.isOn && (
        <>
          <TextInput
            className={classes.path ?? ''}
            label={text.publicUrl}
            description={text.publicUrlHint}
            placeholder={text.publicUrlExample}
            value={draft.publicUrl}
            error={sentence(text.publicUrl, issues.get('publicUrl'))}
            inputWrapperOrder={['label', 'description', 'error', 'input']}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ publicUrl: event.currentTarget.value })}
          />
          <PathField
            kind="files"
            label={text.filesFolder}
            description={text.filesFolderHint}
            placeholder={view.usualFilesFolder}
            value={draft.folder}
            issue={issues.get('folder')}
            onChange={(folder) => change({ folder })}
          />
          <NumberFields
            fields={NUMBERS.hosting}
            values={draft.numbers}
            issues={issues}
            onChange={(numbers) => change({ numbers })}
          />
        </>
      )}
    </SectionForm>
  )
}
