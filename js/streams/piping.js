// From one stream into another.

function pipeOptions(options) {
  const given = dictionary(options, 'the options of a pipe'), { preventAbort, preventCancel, preventClose, signal } = given;
  const state = signal === undefined ? undefined : part('signals').signalState(signal);
  if (signal !== undefined && state === undefined) throw new ScriptTypeError(`options.signal: expected AbortSignal, got ${describeValue(signal)}`);
  return { preventAbort: Boolean(preventAbort), preventCancel: Boolean(preventCancel), preventClose: Boolean(preventClose), signal, state };
}

/**
 * @param {any} source @param {any} destination of streams what stands behind them
 * @param {any} options as `pipeOptions` gives them @returns {Promise<undefined>}
 */
function pipe(source, destination, { preventAbort, preventCancel, preventClose, signal, state }) {
  const reader = new ReaderData(source), writer = new WriterData(destination);
  source.isDisturbed = true;
  let isShuttingDown = false, endListening = ignoreAll;
  /** @type {Promise<any>} of the last write */
  let lastWrite = Promise.resolve(undefined);

  const made = /** @type {Promise<undefined>} */ (new Promise((resolve, reject) => {
    const finish = (isFailed, error) => {
      writer.release();
      reader.release();
      endListening();
      if (isFailed) reject(error); else resolve(undefined);
    };
    const shutDown = (action, isFailed, error) => {
      if (isShuttingDown) return;
      isShuttingDown = true;
      const act = () => {
        if (action === undefined) return finish(isFailed, error);
        action().then(() => finish(isFailed, error), (failure) => finish(true, failure));
      };
      if (destination.state === 'writable' && !destination.isClosing) lastWrite.then(act, act); else act();
    };

    if (state !== undefined) {
      const abort = () => {
        const error = state.reason, actions = [];
        if (!preventAbort) actions.push(() => destination.state === 'writable' ? destination.abort(error) : Promise.resolve(undefined));
        if (!preventCancel) actions.push(() => source.state === 'readable' ? source.cancel(error) : Promise.resolve(undefined));
        shutDown(() => Promise.all(actions.map((action) => action())), true, error);
      };
      if (state.isAborted) return abort();
      endListening = part('signals').followAbort(signal, abort);
    }

    const onSourceError = (error) => preventAbort ? shutDown(undefined, true, error) : shutDown(() => destination.abort(error), true, error);
    const onSourceClose = () => preventClose ? shutDown(undefined, false) : shutDown(() => writer.closeWithErrors(), false);
    const onDestinationError = (error) => preventCancel ? shutDown(undefined, true, error) : shutDown(() => source.cancel(error), true, error);
    const onDestinationClosed = () => {
      const error = new ScriptTypeError('pipeTo: the destination is closed already');
      if (preventCancel) shutDown(undefined, true, error); else shutDown(() => source.cancel(error), true, error);
    };

    if (source.state === 'errored') onSourceError(source.storedError);
    else reader.closed.own.then(undefined, (error) => { if (!isShuttingDown) onSourceError(error); });
    if (destination.state === 'errored' || destination.state === 'erroring') onDestinationError(destination.storedError);
    else writer.closed.own.then(undefined, (error) => { if (!isShuttingDown) onDestinationError(error); });
    if (source.state === 'closed') onSourceClose();
    else reader.closed.own.then(() => { if (!isShuttingDown) onSourceClose(); }, ignoreAll);
    if (destination.isClosing || destination.state === 'closed') onDestinationClosed();

    const step = () => {
      if (isShuttingDown) return;
      writer.ready.own.then(() => {
        if (isShuttingDown) return;
        reader.read({
          // Not before whoever has enqueued it is done, as the tests of the standard want it: chunks that went through many pipes at once would need as much stack.
          chunk(chunk) {
            lastWrite = Promise.resolve(undefined).then(() => {
              const written = writer.write(chunk, true).own;
              Promise.resolve(undefined).then(step);
              return written;
            });
            lastWrite.catch(ignoreAll);
          },
          close: ignoreAll, fail: ignoreAll,
        });
      }, ignoreAll);
    };
    step();
  }));
  made.catch(ignoreAll);
  return made;
}
