import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.GridLayout;
import java.awt.Point;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import javax.swing.AbstractButton;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JPanel;
import javax.swing.JRadioButton;
import javax.swing.JSlider;
import javax.swing.JTabbedPane;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;
import javax.swing.Timer;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;

/**
 * A small window of Swing's usual controls; `java SwingWindow.java [FOLDER]` shows it.
 *
 * <p>In FOLDER it keeps account of itself: `account.json` (place on the screen and value of each control that shows, ten
 * times a second), `log` (one line for what happened), and does what `command` says ("rename", old name, new name, one a
 * line), removing the file when it is done.
 */
public final class SwingWindow {
    private static final int PERIOD_MS = 100;
    private static final List<JComponent> CONTROLS = new ArrayList<>();
    private static Path folder;

    private SwingWindow() {}

    public static void main(String[] arguments) {
        folder = arguments.length > 0 ? Path.of(arguments[0]) : null;
        SwingUtilities.invokeLater(SwingWindow::show);
    }

    private static void show() {
        JFrame frame = new JFrame("Swing window");
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        frame.setJMenuBar(menuBar());
        JTabbedPane tabs = new JTabbedPane();
        tabs.setName("Tabs");
        tabs.addTab("Fields", fields());
        tabs.addTab("More", new JLabel("the other page"));
        tabs.addChangeListener(event -> log("tab " + tabs.getTitleAt(tabs.getSelectedIndex())));
        JPanel keys = new JPanel(new GridLayout(0, 6));
        for (int number = 1; number <= 24; number++) {
            keys.add(button(new JButton("Key " + number)));
        }
        frame.add(tabs, BorderLayout.CENTER);
        frame.add(keys, BorderLayout.SOUTH);
        frame.setSize(700, 520);
        frame.setLocation(60, 40);
        frame.setVisible(true);
        if (folder != null) {
            new Timer(PERIOD_MS, event -> attend(frame)).start();
        }
    }

    private static JMenuBar menuBar() {
        JMenuBar bar = new JMenuBar();
        JMenu menu = new JMenu("File");
        for (String name : new String[] {"Open", "Close"}) {
            JMenuItem item = new JMenuItem(name);
            item.addActionListener(event -> log("menu " + name));
            menu.add(item);
        }
        CONTROLS.add(named(menu, "File"));
        bar.add(menu);
        return bar;
    }

    private static JPanel fields() {
        JPanel panel = new JPanel(new GridLayout(0, 2));
        JTextField text = new JTextField("some text");
        text.getDocument().addDocumentListener(new TextLog(text));
        JComboBox<String> choice = new JComboBox<>(new String[] {"Acme", "Globex", "Initech"});
        choice.addActionListener(event -> log("choice " + choice.getSelectedItem()));
        JSlider slider = new JSlider(0, 100, 40);
        slider.addChangeListener(event -> log("slider " + slider.getValue()));
        for (JComponent field : new JComponent[] {named(text, "Name"), named(choice, "Company"), named(slider, "Volume")}) {
            panel.add(new JLabel(field.getName()));
            panel.add(field);
            CONTROLS.add(field);
        }
        panel.add(button(new JCheckBox("Remember")));
        panel.add(button(new JRadioButton("Large")));
        return panel;
    }

    private static <T extends JComponent> T named(T component, String name) {
        component.setName(name);
        component.getAccessibleContext().setAccessibleName(name);
        return component;
    }

    private static AbstractButton button(AbstractButton button) {
        button.addActionListener(event -> log("press " + button.getText()));
        CONTROLS.add(button);
        return button;
    }

    private record TextLog(JTextField field) implements DocumentListener {
        @Override
        public void insertUpdate(DocumentEvent event) {
            log("text " + field.getText());
        }

        @Override
        public void removeUpdate(DocumentEvent event) {
            log("text " + field.getText());
        }

        @Override
        public void changedUpdate(DocumentEvent event) {}
    }

    // ---- the account

    private static void attend(JFrame frame) {
        try {
            obey(frame);
            StringBuilder written = new StringBuilder("{");
            for (JComponent control : CONTROLS) {
                if (control.isShowing()) {
                    written.append(written.length() > 1 ? "," : "").append(entry(control));
                }
            }
            Path next = folder.resolve("account.next");
            Files.writeString(next, written.append("}").toString(), StandardCharsets.UTF_8);
            Files.move(next, folder.resolve("account.json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    private static String entry(JComponent control) {
        Point at = control.getLocationOnScreen();
        Dimension size = control.getSize();
        return String.format("\"%s\":{\"rect\":[%d,%d,%d,%d],\"value\":%s}", nameOf(control), at.x, at.y, size.width,
            size.height, valueOf(control));
    }

    private static String nameOf(JComponent control) {
        return control instanceof AbstractButton button ? button.getText() : control.getName();
    }

    private static String valueOf(JComponent control) {
        if (control instanceof JCheckBox || control instanceof JRadioButton) {
            return Boolean.toString(((AbstractButton) control).isSelected());
        }
        if (control instanceof JTextField text) {
            return '"' + text.getText() + '"';
        }
        if (control instanceof JComboBox<?> choice) {
            return '"' + String.valueOf(choice.getSelectedItem()) + '"';
        }
        return control instanceof JSlider slider ? Integer.toString(slider.getValue()) : "null";
    }

    private static void obey(JFrame frame) throws IOException {
        Path command = folder.resolve("command");
        if (!Files.exists(command)) {
            return;
        }
        List<String> words = Files.readAllLines(command);
        for (JComponent control : CONTROLS) {
            if (nameOf(control).equals(words.get(1))) {
                change(control, words);
            }
        }
        frame.revalidate();
        Files.delete(command);
    }

    private static void change(JComponent control, List<String> words) {
        switch (words.get(0)) {
            case "rename" -> ((AbstractButton) control).setText(words.get(2));
            case "enable" -> control.setEnabled(Boolean.parseBoolean(words.get(2)));
            case "show" -> control.setVisible(Boolean.parseBoolean(words.get(2)));
            default -> throw new IllegalArgumentException(words.get(0));
        }
    }

    private static void log(String line) {
        if (folder == null) {
            return;
        }
        try {
            Files.writeString(folder.resolve("log"), line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }
}
