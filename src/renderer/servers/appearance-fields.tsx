import { Group, Radio, TextInput } from '@mantine/core'
import type { RefObject } from 'react'
import { ServerColor } from '../../shared/console/remote-servers.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import classes from './servers.module.css'
import { COLOR_NAMES, text } from './strings.ts'

interface Props {
  readonly name: string
  readonly nameError?: string | false
  readonly color: ServerColor
  readonly nameRef?: RefObject<HTMLInputElement | null>
  readonly onName: (name: string) => void
  readonly onColor: (color: ServerColor) => void
}

/** How a server is called and marked. */
export function AppearanceFields(props: Props) {
  const { name, nameError = false, color, nameRef, onName, onColor } = props
  return (
    <>
      <TextInput
        label={text.add.name}
        description={text.add.nameHint}
        required
        {...(nameRef === undefined ? {} : { ref: nameRef })}
        maxLength={MAX_DISPLAY_NAME}
        value={name}
        error={nameError}
        autoComplete="off"
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <Radio.Group
        label={text.add.color}
        value={color}
        onChange={(value) => onColor(ServerColor.parse(value))}
      >
        <Group gap="md" mt={4}>
          {ServerColor.options.map((option) => (
            <Radio
              key={option}
              value={option}
              label={
                <Group gap={6} wrap="nowrap" component="span">
                  <span className={`${classes.colored} ${classes.dot}`} data-color={option} />
                  {COLOR_NAMES[option]}
                </Group>
              }
            />
          ))}
        </Group>
      </Radio.Group>
    </>
  )
}
