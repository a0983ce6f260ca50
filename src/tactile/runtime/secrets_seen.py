"""Remember which fields were secret: a password that is made visible on the screen stays one for us."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from tactile.records import Accessible, NativeRef, Observation

SECRETS_MAX = 500  # fields remembered; a desktop has a handful


@dataclass(slots=True)
class SecretsSeen:
    """The platform objects that were password fields when they were looked at."""

    _fields: OrderedDict[NativeRef, None] = field(default_factory=OrderedDict)

    def mask(self, observation: Observation) -> Observation:
        """Return the observation with the content of every field that was ever secret left out.

        Source:
            Toolkits turn a password field into a plain one when its "show" button is pressed; its text can then be
            read (GTK3 and Qt, an attacker's finding).
        """
        tree = observation.tree
        if tree is None:
            return observation
        for item in tree.accessibles:
            if item.is_secure:
                self._fields[item.ref] = None
        while len(self._fields) > SECRETS_MAX:
            self._fields.popitem(last=False)
        if not any(item.ref in self._fields and not item.is_secure for item in tree.accessibles):
            return observation
        masked = tuple(map(self._masked, tree.accessibles))
        return replace(observation, tree=replace(tree, accessibles=masked))

    def _masked(self, item: Accessible) -> Accessible:
        if item.ref not in self._fields or item.is_secure:
            return item
        return replace(item, is_secure=True, text=None, text_length=None, value=None)
