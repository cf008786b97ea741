import { Badge, Group, Radio } from '@mantine/core'
import classes from './choice.module.css'
import type { RolloutMode } from './rollout-draft.ts'
import { MODE_WORDS, text } from './strings.ts'

interface Props<Mode extends RolloutMode> {
  readonly modes: readonly Mode[]
  readonly value: Mode
  /** The one that is marked as such. */
  readonly recommended?: RolloutMode | undefined
  /** Called also when somebody presses the one that is checked: a default can change later, a choice does not. */
  readonly onChange: (mode: Mode) => void
}

/** A few ways to roll a release out, with what each means. */
export function ModeChoice<Mode extends RolloutMode>(props: Props<Mode>) {
  const { modes, value, recommended, onChange } = props
  return (
    <Radio.Group
      label={text.modes}
      value={value}
      onChange={(chosen) => {
        const mode = modes.find((each) => each === chosen)
        if (mode !== undefined) onChange(mode)
      }}
    >
      <div className={classes.modes}>
        {modes.map((mode) => (
          <Radio
            key={mode}
            value={mode}
            // A radio button that is checked does not change when it is pressed.
            onClick={() => {
              if (mode === value) onChange(mode)
            }}
            label={
              <Group component="span" gap={8}>
                {MODE_WORDS[mode].name}
                {mode === recommended && (
                  <Badge component="span" size="sm" variant="light" tt="none">
                    {text.recommended}
                  </Badge>
                )}
              </Group>
            }
            description={MODE_WORDS[mode].meaning}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
