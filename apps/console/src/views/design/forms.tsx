import { useState } from 'react';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { LinesField } from '../../components/lines-field.tsx';
import { Specimen, State } from './specimen.tsx';

const FIELDS = [
  { label: 'Plain' },
  { label: 'With a hint', hint: 'Where to find the value.' },
  { label: 'With an error', error: 'Must not be empty.' },
  { label: 'With both', hint: 'Where to find the value.', error: 'Must not be empty.' },
  { label: 'May be left out', isOptional: true },
];

export function Forms() {
  const [lines, setLines] = useState<readonly string[]>(['get_*', 'list_*']);
  return (
    <>
      <Specimen of={['Field']}>
        <div className="grid max-w-md gap-4">
          {FIELDS.map((field) => (
            <Field key={field.label} {...field}>
              {(control) => <input {...control} className={inputClass} placeholder="Placeholder" />}
            </Field>
          ))}
          <Field label="A list">
            {(control) => (
              <select {...control} className={inputClass}>
                <option>The first</option>
                <option>The second</option>
              </select>
            )}
          </Field>
        </div>
      </Specimen>
      <Specimen of={['DialogForm']}>
        <div className="max-w-md">
          <DialogForm
            error={null}
            isDirty={false}
            action="Save"
            isBusy={false}
            needsChange
            onSubmit={(event) => event.preventDefault()}
            onClose={() => undefined}
          >
            <p>Its fields.</p>
          </DialogForm>
        </div>
      </Specimen>
      <Specimen of={['LinesField']}>
        <div className="grid max-w-md gap-4">
          <LinesField
            label="Patterns"
            hint="One per line."
            lines={lines}
            error={undefined}
            onChange={setLines}
          />
          <LinesField
            label="Patterns with an error"
            hint="One per line."
            lines={['**']}
            error="This is not a pattern."
            onChange={() => undefined}
          />
        </div>
      </Specimen>
      <Specimen of={['Choice', 'ChoiceGroup']}>
        <State name="radio buttons">
          <ChoiceGroup legend="How people authenticate">
            <Choice
              type="radio"
              name="mode"
              defaultChecked
              label="OAuth"
              sentence="Each person signs in at the provider."
            />
            <Choice type="radio" name="mode" label="Without a sentence" />
            <Choice type="radio" name="mode" disabled label="Disabled" />
          </ChoiceGroup>
        </State>
        <State name="checkboxes">
          <Choice type="checkbox" defaultChecked label="Checked" sentence="What follows from it." />
          <Choice type="checkbox" label="Not checked" />
          <Choice type="checkbox" disabled label="Disabled, too" />
        </State>
      </Specimen>
    </>
  );
}
